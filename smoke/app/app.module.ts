import { Module } from '@nestjs/common';
import { AgentToolsModule } from 'nestjs-agent-tools';
import { offline } from 'nestjs-agent-tools/offline';
import { ChatController } from './chat.controller';
import { OrderTools } from './order.tools';

@Module({
  imports: [
    AgentToolsModule.forRoot({ model: offline() }),
    AgentToolsModule.forFeature({ agents: [{ name: 'support', tools: ['findOrder'] }] }),
  ],
  controllers: [ChatController],
  providers: [OrderTools],
})
export class AppModule {}
