import { Injectable, UseGuards } from '@nestjs/common';
import {
  Tool,
  ToolCall,
  CurrentToolCall,
  ToolFailedException,
  ToolInput,
  ToolParam,
} from 'nestjs-agent-tools';
import { z } from 'zod';

/** What the methods were given. */
export const given: unknown[] = [];

const Item = z.object({ name: z.string(), count: z.number().int().positive() });

@Injectable()
export class StockTools {
  @Tool({ description: 'Add items.', inputSchema: Item })
  add(@ToolInput() item: z.output<typeof Item>) {
    given.push(item);
    return { ...item, added: true };
  }

  @Tool({ description: 'Count items.', outputSchema: z.object({ count: z.number() }) })
  count(@ToolParam('name') name: string): { count: number } {
    given.push(name);
    return { count: 3 };
  }

  @Tool('Remove items.')
  @UseGuards({ canActivate: () => false })
  remove() {
    given.push('remove');
  }

  @Tool('Says what it does.')
  pack(@CurrentToolCall() call: ToolCall) {
    for (const value of [1, 2, 3]) call.progress(value);
    given.push('pack');
    return 'packed';
  }

  @Tool('Lists items.')
  async *list() {
    yield 'desk';
    yield await Promise.resolve('chair');
    return 'all';
  }

  @Tool('Has nothing.')
  fail() {
    throw new ToolFailedException('There is none.');
  }

  @Tool({ description: 'Asks a warehouse.', effect: 'read', retry: { times: 1, delay: 1 } })
  ask() {
    given.push('ask');
    throw new Error('busy');
  }

  @Tool({ description: 'Takes too long.', timeout: 20 })
  wait() {
    return new Promise(() => undefined);
  }
}
