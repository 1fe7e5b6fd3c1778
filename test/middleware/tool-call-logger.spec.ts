import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger, UseGuards } from '@nestjs/common';
import {
  AgentService,
  Tool,
  ToolCallLogger,
  ToolFailedException,
  ToolInput,
  ToolResult,
} from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { z } from 'zod';
import { startWith } from './support/start.js';

const returned: { value?: unknown } = {};

@Injectable()
class Tools {
  @Tool({ description: 'Gives what the test says.', inputSchema: z.looseObject({}) })
  give(@ToolInput() _input: object) {
    return returned.value;
  }

  @Tool('Has nothing.')
  fail() {
    throw new ToolFailedException('There is none\nfor token=abc123456.');
  }

  @Tool('Breaks.')
  crash() {
    throw new Error('postgres://admin:hunter2@db is down');
  }

  @Tool('Refund an order.')
  @UseGuards({ canActivate: () => false })
  refund() {
    return 'refunded';
  }

  @Tool({ description: 'Takes too long.', timeout: 10 })
  wait() {
    return new Promise(() => undefined);
  }
}

let lines: { level: string; line: string }[];

beforeEach(() => {
  returned.value = undefined;
  lines = [];
  for (const level of ['log', 'warn'] as const) {
    jest.spyOn(Logger.prototype, level).mockImplementation(function (this: Logger, line: unknown) {
      // Others of that context log other lines.
      if (String(line).includes(' arguments=')) lines.push({ level, line: String(line) });
    });
  }
});

afterEach(() => {
  jest.restoreAllMocks();
});

async function lineOf(name: string, args: object = {}) {
  const app = await startWith([ToolCallLogger], [Tools]);
  await callTool(app, name, args);
  expect(lines).toHaveLength(1);
  return lines[0];
}

describe('when ToolCallLogger is among the middleware', () => {
  it('logs a call in one line', async () => {
    returned.value = { status: 'shipped' };
    const { level, line } = await lineOf('give', { orderNo: 'A-1' });
    expect(level).toBe('log');
    expect(line).toMatch(
      /^give success in \d+ ms run=\S+ call=\S+ arguments=\{"orderNo":"A-1"\} result=\{"status":"shipped"\}$/,
    );
  });

  it('names the run and the call of an agent', async () => {
    const model = scripted([{ tool: 'give', id: 'c-7' }, 'Done.']);
    const app = await startWith([ToolCallLogger], [Tools], { model });
    const { runId } = await app.get(AgentService).run('Go.');
    expect(lines.map(({ line }) => line)).toEqual([
      expect.stringMatching(`^give success in \\d+ ms run=${runId} call=c-7 `),
    ]);
  });

  it('logs in the context of this package', async () => {
    const contexts: unknown[] = [];
    jest.spyOn(Logger.prototype, 'log').mockImplementation(function (this: Logger) {
      contexts.push((this as unknown as { context?: string }).context);
    });
    const app = await startWith([ToolCallLogger], [Tools]);
    contexts.length = 0;
    await callTool(app, 'give', {});
    expect(contexts).toEqual(['AgentTools']);
  });

  it.each([
    ['fail', 'error', 'result="There is none\\nfor token=***"'],
    ['refund', 'denied', 'Denied'],
    ['wait', 'error', 'timed out after 10 ms'],
    ['crash', 'error', 'error id'],
  ])('warns of "%s", with its status and what the model reads', async (name, status, text) => {
    const { level, line } = await lineOf(name);
    expect(level).toBe('warn');
    expect(line).toContain(`${name} ${status} in `);
    expect(line).toContain(text);
    expect(line).not.toContain('\n');
    expect(line).not.toContain('hunter2');
  });

  it('says nothing of calls that are not begun', async () => {
    const app = await startWith([ToolCallLogger], [Tools]);
    await callTool(app, 'search', {});
    await callTool(app, 'give', 'certainly!');
    expect(lines).toEqual([]);
  });

  it('shows what the model reads of a result without a value', async () => {
    returned.value = new ToolResult('three orders');
    expect((await lineOf('give')).line).toContain(' result="three orders"');
  });

  it('leaves secrets out of arguments and results', async () => {
    returned.value = { user: 'ada', session: { accessToken: 'tttttt' }, pin: 1234 };
    const { line } = await lineOf('give', {
      name: 'ada',
      password: 'pppppp',
      nested: [{ apiKey: 'kkkkkk' }],
      note: 'use Bearer bbbbbbbbbb',
    });
    expect(line).toContain('{"user":"ada","session":{"accessToken":"***"},"pin":"***"}');
    expect(line).toContain('"nested":[{"apiKey":"***"}]');
    expect(line).toContain('"note":"use Bearer ***"');
    expect(line).not.toMatch(/tttttt|1234|pppppp|kkkkkk|bbbbbb/);
  });

  it('cuts long values', async () => {
    returned.value = 'r'.repeat(100_000);
    const { line } = await lineOf('give', { text: 'a'.repeat(100_000) });
    expect(line.length).toBeLessThan(1_300);
    expect(line).toMatch(/arguments=\{"text":"a+… result="r+…$/);
  });

  it('writes ids that a model has made in one line, too', async () => {
    const model = scripted([{ tool: 'give', id: `c\nERROR forged ${'x'.repeat(500)}` }, 'Done.']);
    const app = await startWith([ToolCallLogger], [Tools], { model });
    await app.get(AgentService).run('Go.');
    expect(lines).toHaveLength(1);
    expect(lines[0].line).not.toContain('\n');
    expect(lines[0].line.length).toBeLessThan(500);
  });
});

describe('when ToolCallLogger is not among the middleware', () => {
  it('logs no calls', async () => {
    const app = await startWith([], [Tools]);
    expect((await callTool(app, 'give', {})).status).toBe('success');
    expect(lines).toEqual([]);
  });
});

describe('when a result cannot be shown', () => {
  it('does not change how the call ended', async () => {
    const value: Record<string, unknown> = {
      get broken(): never {
        throw new Error('not now');
      },
    };
    value.self = value;
    returned.value = new ToolResult('shown', { value });
    const app = await startWith([ToolCallLogger], [Tools]);
    expect(await callTool(app, 'give', {})).toMatchObject({ status: 'success', content: 'shown' });
    expect(lines[0].line).toContain('"broken":"[unreadable]"');
  });
});
