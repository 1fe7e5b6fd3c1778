import { describe, expect, it } from '@jest/globals';
import { InternalServerErrorException } from '@nestjs/common';
import {
  ToolFailedException,
  ToolResult,
  ToolRetryException,
  type ToolResultContentPart,
} from 'nestjs-agent-tools';
import { start } from './support/start.js';
import { failing, toolOf, type Work } from './support/tool-of.js';

const LONG = 'abcdefghij'.repeat(10);
const NOTICE = '\n[cut: the first 10 of 100 characters]';
const part = (text: string): ToolResultContentPart => ({ type: 'text', text });
const IMAGE: ToolResultContentPart = { type: 'image', url: `https://x.example/${LONG}` };

async function contentOf(work: Work, options: Parameters<typeof toolOf>[0] = {}) {
  const { call } = await start({ providers: [toolOf({ maxResultLength: 10, ...options }, work)] });
  return (await call('work')).content;
}

describe('`maxResultLength`', () => {
  it.each<[string, Work]>([
    ['a text', () => LONG],
    ['the text of a ToolResult', () => new ToolResult(LONG)],
    ['what a ToolFailedException says', failing(new ToolFailedException(LONG))],
    ['what a ToolRetryException says', failing(new ToolRetryException(LONG))],
  ])('cuts %s', async (_what, work) => {
    const content = await contentOf(work);
    expect(content).toMatch(/^abcdefghij\n\[cut: the first 10 of 1\d\d characters\]$/);
  });

  it('cuts JSON', async () => {
    const content = await contentOf(() => ({ text: LONG }));
    expect(content).toBe('{"text":"a\n[cut: the first 10 of 111 characters]');
  });

  it('cuts the message of an unexpected error', async () => {
    const work = failing(new Error(LONG));
    expect(await contentOf(work, { errors: 'message' })).toBe(`abcdefghij${NOTICE}`);
  });

  it('cuts what a converter says', async () => {
    class Shouting {
      convert = () => LONG;
    }
    const content = await contentOf(() => 1, { resultConverter: Shouting });
    expect(content).toBe(`abcdefghij${NOTICE}`);
  });

  it.each<[string, Work]>([
    ['parts', () => [part(LONG), IMAGE]],
    ['a ToolResult', () => new ToolResult([part(LONG), IMAGE])],
  ])('cuts the texts of %s, and leaves images', async (_what, work) => {
    expect(await contentOf(work)).toEqual([part(`abcdefghij${NOTICE}`), IMAGE]);
  });

  it('holds for all parts together', async () => {
    const content = await contentOf(() => Array.from({ length: 100 }, () => part('abcdefghij')));
    const texts = (content as ToolResultContentPart[]).flatMap((one) =>
      one.type === 'text' ? [one.text] : [],
    );
    expect(texts.join('').length).toBeLessThan(200);
  });

  it('leaves what is not longer as it is', async () => {
    expect(await contentOf(() => 'abcdefghij')).toBe('abcdefghij');
    expect(await contentOf(() => LONG, { maxResultLength: Infinity })).toBe(LONG);
  });

  it('does not touch the value for the application', async () => {
    const provider = toolOf({ maxResultLength: 10 }, () => LONG);
    const { call } = await start({ providers: [provider] });
    expect((await call('work')).value).toBe(LONG);
  });

  it('does not cut a character in two', async () => {
    const content = await contentOf(() => `123456789😀${LONG}`);
    expect(content).toMatch(/^123456789\n/);
  });

  it.each<[string, string, object]>([
    ['for arguments that cannot be read', 'certainly, '.repeat(10), {}],
    ['for arguments that do not fit', JSON.stringify({ n: LONG }), {}],
    [
      'of a handler, for arguments that cannot be read',
      'certainly',
      { onArgumentsError: () => LONG },
    ],
    ['of a handler, for arguments that do not fit', '{"n":"x"}', { onArgumentsError: () => LONG }],
  ])('cuts the text %s', async (_what, args, options) => {
    const provider = toolOf({ maxResultLength: 10, ...options }, () => 1);
    const { step } = await start({ providers: [provider] });
    const [{ status, content }] = await step({ tool: 'work', arguments: args });
    expect(status).toBe('error');
    expect(content).toMatch(/\[cut: the first 10 of \d+ characters\]$/);
  });

  it('cuts the parts of a handler', async () => {
    const onExecutionError = () => new ToolResult([part(LONG), IMAGE]);
    const content = await contentOf(failing(new Error('no')), { onExecutionError });
    expect(content).toEqual([part(`abcdefghij${NOTICE}`), IMAGE]);
  });
});

describe('`errors`', () => {
  const KEY = 'sk-proj-abcdefghijklmnopqrstuvwxyz012345';

  it('"id" tells nothing but an id, also of a 500', async () => {
    for (const error of [new Error('secret'), new InternalServerErrorException('secret')]) {
      const { call } = await start({ providers: [toolOf({ errors: 'id' }, failing(error))] });
      expect((await call('work')).content).toMatch(
        /^"work" failed unexpectedly \(error id [0-9a-f]{8}\)\.$/,
      );
    }
  });

  it('"message" tells the message, without credentials', async () => {
    const work = failing(new Error(`No luck with ${KEY}.`));
    const { call } = await start({ providers: [toolOf({ errors: 'message' }, work)] });
    const { content } = await call('work');
    expect(content).toContain('No luck with');
    expect(content).not.toContain(KEY);
  });

  it('keeps the error for the application either way', async () => {
    const error = new Error('secret');
    const { call } = await start({ providers: [toolOf({}, failing(error))] });
    expect((await call('work')).error).toBe(error);
  });
});
