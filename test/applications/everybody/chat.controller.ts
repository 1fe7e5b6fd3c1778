import { Body, Controller, Get, Post, Query, Req, Sse } from '@nestjs/common';
import { IsString } from 'class-validator';
import { AgentService } from 'nestjs-agent-tools';
import { Public } from './auth.js';

export class ChatDto {
  @IsString()
  message!: string;
}

@Controller('chat')
export class ChatController {
  constructor(private readonly agent: AgentService) {}

  @Post()
  async chat(@Body() { message }: ChatDto, @Req() request: object) {
    const { text } = await this.agent.run(message, { request });
    return { text };
  }

  @Sse('stream')
  stream(@Query('q') question: string, @Req() request: object) {
    return this.agent.stream(question, { request }).toSse();
  }

  @Get('health')
  @Public()
  health() {
    return 'up';
  }
}
