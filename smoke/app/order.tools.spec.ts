import { Test, TestingModule } from '@nestjs/testing';
import { AgentService, AgentToolsModule } from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { OrderTools } from './order.tools';

describe('OrderTools', () => {
  const model = scripted([
    { tool: 'findOrder', arguments: { orderNo: 'A-17' } },
    'It was shipped.',
  ]);
  let app: TestingModule;

  beforeEach(async () => {
    app = await Test.createTestingModule({
      imports: [AgentToolsModule.forRoot({ model })],
      providers: [OrderTools],
    }).compile();
    await app.init();
  });

  afterEach(() => app.close());

  it('lets an agent find an order', async () => {
    const result = await app.get(AgentService).run('Where is A-17?');
    expect(result.text).toBe('It was shipped.');
    expect(result.steps[0].toolResults[0].value).toEqual({ orderNo: 'A-17', status: 'shipped' });
    model.assertComplete();
  });

  it('denies a refund to everybody but an admin', async () => {
    const input = { orderNo: 'A-17', reason: 'broken' };
    const denied = await callTool(app, 'refundOrder', input);
    expect(denied.status).toBe('denied');
    expect(app.get(OrderTools).refunds).toEqual([]);

    const request = { headers: { 'x-role': 'admin' } };
    const done = await callTool(app, 'refundOrder', input, { request });
    expect(done.content).toBe('Order A-17 is refunded');
    expect(app.get(OrderTools).refunds).toEqual(['A-17']);
  });

  it('validates the input of a DTO class and of single parameters', async () => {
    const request = { headers: { 'x-role': 'admin' } };
    const short = await callTool(app, 'refundOrder', { orderNo: 'A-17', reason: '' }, { request });
    expect(short.content).toContain('reason');
    const quote = await callTool(app, 'quoteShipping', { country: 'DE' });
    expect(quote.value).toEqual({ country: 'DE', price: '41 EUR' });
  });
});
