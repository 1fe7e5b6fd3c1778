import { Body, Controller, Get, Post, Query, Req, Sse } from '@nestjs/common';
import type { Request } from 'express';
import { AgentService, InjectAgent } from 'nestjs-agent-tools';
import { ChatDto } from './chat.dto';
import { OrderTools } from './order.tools';

@Controller('chat')
export class ChatController {
  constructor(
    private readonly agent: AgentService,
    @InjectAgent('support') private readonly support: AgentService,
    private readonly tools: OrderTools,
  ) {}

  @Post()
  async chat(@Body() { message }: ChatDto, @Req() request: Request) {
    const { text } = await this.agent.run(message, { request, context: { currency: 'CHF' } });
    return { text };
  }

  @Post('support')
  async ask(@Body() { message }: ChatDto, @Req() request: Request) {
    const { text } = await this.support.run(message, { request });
    return { text };
  }

  @Sse('stream')
  stream(@Query('q') question: string, @Req() request: Request) {
    return this.agent.stream(question, { request }).toSse();
  }

  @Get('refunds')
  refunds() {
    return this.tools.refunds;
  }
}
