import { Controller, Get } from '@nestjs/common';
import { ToolRegistry, type McpTool } from 'nestjs-agent-tools';

@Controller('tools')
export class ToolsController {
  constructor(private readonly registry: ToolRegistry) {}

  @Get()
  list(): McpTool[] {
    return this.registry.toMcp();
  }
}
