import { Body, Controller, Post, Query, Req, Sse, type MessageEvent } from '@nestjs/common';
import { AgentService } from 'nestjs-agent-tools';
import type { Observable } from 'rxjs';
import { ChatDto } from './chat.dto.js';

@Controller('chat')
export class ChatController {
  constructor(private readonly agent: AgentService) {}

  @Post()
  async chat(@Body() { message }: ChatDto, @Req() request: object) {
    const { text, status } = await this.agent.run(message, { request });
    return { text, status };
  }

  @Sse('stream')
  stream(@Query('q') question: string, @Req() request: object): Observable<MessageEvent> {
    return this.agent.stream(question, { request }).toSse();
  }
}
