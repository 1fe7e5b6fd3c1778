/** How spans end when something does not go well. None is left open: `spans.all` checks it. */
import { describe, expect, it } from '@jest/globals';
import { AgentRunException, ChatModelException } from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { leaveAt } from '../loop/support/events.js';
import { generating, silent, text } from '../loop/support/models.js';
import { openShop, QUESTION, WAYS } from './support/shop.js';
import { endingOf, exceptionOf, recordSpans } from './support/spans.js';

const ORDER = { orderNo: 'A-1042' };

describe.each(WAYS)('in a %s', (_way, run) => {
  it('a tool that crashes is an error with its exception, credentials redacted', async () => {
    const spans = recordSpans();
    const { agent } = await openShop(scripted([{ tool: 'crash' }, 'Sorry.']));
    expect((await run(agent)).status).toBe('completed');
    const span = spans.only('execute_tool crash');
    expect(endingOf(span)).toBe('OutOfStock');
    const message = 'The stock is at https://***@stock.example and empty.';
    expect(span.status.message).toBe(message);
    expect(exceptionOf(span)).toEqual({
      'exception.type': 'OutOfStock',
      'exception.message': message,
      'exception.stacktrace': expect.stringMatching(/^Error: The stock is at .*\n {4}at .*crash/),
    });
    expect(spans.text).not.toContain('hunter2');
    expect(spans.named('invoke_agent').map(endingOf)).toEqual(['fine']);
    expect(spans.named('chat scripted').map(endingOf)).toEqual(['fine', 'fine']);
  });

  it('a denied call is an error, and the method did not run', async () => {
    const spans = recordSpans();
    const { agent, shop } = await openShop(
      scripted([{ tool: 'closed', arguments: ORDER }, 'Sorry.']),
    );
    await run(agent);
    expect(shop.seen.runs).toEqual([]);
    const span = spans.only('execute_tool closed');
    expect(endingOf(span)).toBe('denied');
    expect(exceptionOf(span)).toMatchObject({
      'exception.type': 'ForbiddenException',
      'exception.message': 'The shop is closed for token=***',
    });
  });

  it('a call with unusable arguments and one of an unknown tool are errors', async () => {
    const spans = recordSpans();
    const { agent, shop } = await openShop(
      scripted([
        [{ tool: 'find', arguments: { orderNo: ['A-1042'] } }, { tool: 'invented' }],
        'Sorry.',
      ]),
    );
    await run(agent);
    expect(shop.seen.runs).toEqual([]);
    expect(endingOf(spans.only('execute_tool find'))).toBe('ToolArgumentsException');
    const unknown = spans.only('execute_tool invented');
    expect(endingOf(unknown)).toBe('error');
    expect(unknown.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'invented',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'call_2',
      'error.type': 'error',
    });
  });

  it('a call that times out is an error', async () => {
    const spans = recordSpans();
    const { agent } = await openShop(scripted([{ tool: 'endless' }, 'Sorry.']));
    expect((await run(agent)).status).toBe('completed');
    expect(endingOf(spans.only('execute_tool endless'))).not.toBe('fine');
    expect(endingOf(spans.only('invoke_agent'))).toBe('fine');
  });

  it.each(['obedient', 'endless'])('an aborted run interrupts the call of "%s"', async (tool) => {
    const spans = recordSpans();
    const { agent, shop } = await openShop(scripted([{ tool }, 'Never.']), {
      toolDefaults: { timeout: 5_000 },
    });
    const controller = new AbortController();
    shop.seen.onStart = () => controller.abort();
    expect((await run(agent, { signal: controller.signal })).status).toBe('aborted');
    expect(spans.tree).toEqual(['invoke_agent', '  chat scripted', `  execute_tool ${tool}`]);
    expect(spans.all.map(endingOf)).toEqual(['aborted', 'fine', 'interrupted']);
  });

  it('a run that is aborted before it starts has one span', async () => {
    const spans = recordSpans();
    const { agent } = await openShop(scripted(['Never.']));
    await run(agent, { signal: AbortSignal.abort() });
    expect(spans.tree).toEqual(['invoke_agent']);
    expect(endingOf(spans.only('invoke_agent'))).toBe('aborted');
  });

  it('a run that times out while the model is silent says so', async () => {
    const spans = recordSpans();
    const { agent } = await openShop(silent());
    expect((await run(agent, { limits: { timeout: 20 } })).finishReason).toBe('timeout');
    expect(spans.tree).toEqual(['invoke_agent', '  chat silent']);
    expect(spans.all.map(endingOf)).toEqual(['timeout', 'TimeoutError']);
  });

  it('a model that fails is an error of the turn and of the run', async () => {
    const spans = recordSpans();
    const error = new ChatModelException('HTTP 429, api_key=sk-abcdefghijkl', { status: 429 });
    const { agent } = await openShop(scripted([{ tool: 'careful' }, { error }]));
    await expect(run(agent)).rejects.toBeInstanceOf(AgentRunException);
    expect(spans.tree).toEqual([
      'invoke_agent',
      '  chat scripted',
      '  execute_tool careful',
      '    try',
      '  chat scripted',
    ]);
    expect(endingOf(spans.only('invoke_agent'))).toBe('ChatModelException');
    const [first, failed] = spans.named('chat scripted');
    expect(endingOf(first)).toBe('fine');
    expect(endingOf(failed)).toBe('ChatModelException');
    expect(exceptionOf(failed)).toMatchObject({
      'exception.type': 'ChatModelException',
      'exception.message': 'HTTP 429, api_key=***',
    });
    expect(exceptionOf(spans.only('invoke_agent'))).toMatchObject({
      'exception.type': 'AgentRunException',
      'exception.message': 'The agent run failed in step 2: HTTP 429, api_key=***',
    });
    expect(spans.text).not.toContain('abcdefghijkl');
  });

  it('a turn that ends with an error is one', async () => {
    const spans = recordSpans();
    const { agent } = await openShop(scripted([{ text: 'Hm', finishReason: 'error' }]));
    await expect(run(agent)).rejects.toBeInstanceOf(AgentRunException);
    expect(endingOf(spans.only('chat scripted'))).toBe('error');
    expect(endingOf(spans.only('invoke_agent'))).toBe('Error');
  });

  it('a run that fails after rounds of failures does not say what its tools answered', async () => {
    const spans = recordSpans();
    const { agent } = await openShop(scripted([{ tool: 'refuse', arguments: ORDER }, 'Never.']));
    await expect(run(agent, { limits: { failedSteps: 1 } })).rejects.toThrow('no order A-1042');
    expect(endingOf(spans.only('invoke_agent'))).toBe('Error');
    expect(exceptionOf(spans.only('invoke_agent'))).not.toHaveProperty(['exception.message']);
    expect(spans.text).not.toContain('A-1042');
  });
});

describe('a stream that is left early', () => {
  it('in the middle of a text ends its spans', async () => {
    const spans = recordSpans();
    const { agent } = await openShop(silent(text('Once upon a time')));
    await leaveAt(agent.stream(QUESTION), 'text-delta');
    expect(spans.tree).toEqual(['invoke_agent', '  chat silent']);
    expect(spans.all.map(endingOf)).toEqual(['aborted', 'AbortError']);
  });

  it('in the middle of a call ends its spans', async () => {
    const spans = recordSpans();
    const { agent } = await openShop(scripted([{ tool: 'obedient' }, 'Never.']));
    await leaveAt(agent.stream(QUESTION), 'tool-call');
    expect(spans.all.map(endingOf)).toContain('aborted');
    expect(spans.tree.slice(0, 2)).toEqual(['invoke_agent', '  chat scripted']);
  });

  it('by an unsubscribed Observable ends its spans', async () => {
    const spans = recordSpans();
    const { agent, shop } = await openShop(scripted([{ tool: 'obedient' }, 'Never.']));
    const stream = agent.stream(QUESTION);
    const subscription = stream.toObservable().subscribe();
    shop.seen.onStart = () => subscription.unsubscribe();
    expect((await stream.result).status).toBe('aborted');
    expect(spans.all.map(endingOf)).toEqual(['aborted', 'fine', 'interrupted']);
  });

  it('and never read has no spans', async () => {
    const spans = recordSpans();
    const { agent } = await openShop(scripted(['Never.']));
    agent.stream(QUESTION);
    expect(spans.all).toEqual([]);
  });
});

it.each([
  ['denied', 'closed', ORDER, 'denied'],
  ['of an unknown tool', 'invented', {}, 'error'],
  ['that crashes', 'crash', {}, 'OutOfStock'],
])('a call without an agent %s is an error', async (_case, tool, args, ending) => {
  const spans = recordSpans();
  const { app } = await openShop(scripted([]));
  expect((await callTool(app, tool, args)).status).not.toBe('success');
  expect(endingOf(spans.only(`execute_tool ${tool}`))).toBe(ending);
});

it('a call without an agent that is aborted is interrupted', async () => {
  const spans = recordSpans();
  const { app, shop } = await openShop(scripted([]));
  const controller = new AbortController();
  shop.seen.onStart = () => controller.abort();
  await callTool(app, 'obedient', {}, { signal: controller.signal });
  expect(endingOf(spans.only('execute_tool obedient'))).toBe('interrupted');
});

it('a model that gives no answer at all is an error of the turn', async () => {
  const spans = recordSpans();
  const { agent } = await openShop(generating(() => Promise.resolve(undefined as never)));
  await expect(agent.run(QUESTION)).rejects.toThrow('gave no answer at all');
  expect(endingOf(spans.only('chat generating'))).toBe('Error');
});
