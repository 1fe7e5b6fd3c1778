import { describe, expect, it } from '@jest/globals';
import { image } from 'nestjs-agent-tools';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('image()', () => {
  it.each([
    ['image/png', '\x89PNG\r\n\x1a\n'],
    ['image/jpeg', '\xff\xd8\xff\xe0'],
    ['image/gif', 'GIF89a'],
    ['image/webp', 'RIFF\x00\x00\x00\x00WEBP'],
  ])('knows %s by its first bytes', (type, text) => {
    const { url } = image(bytes(text));
    expect(url).toBe(`data:${type};base64,${Buffer.from(text, 'latin1').toString('base64')}`);
  });

  it('takes a view of a larger buffer', () => {
    const view = bytes('....GIF89a....').subarray(4, 10);
    expect(image(view).url).toBe(image(bytes('GIF89a')).url);
  });

  it('takes the type of other bytes', () => {
    expect(image(bytes('x'), 'image/avif').url).toBe('data:image/avif;base64,eA==');
    expect(() => image(bytes('x'))).toThrow("image(bytes, 'image/png')");
  });

  it('takes addresses of images', () => {
    const url = 'https://shop.example/a.png';
    expect(image(url)).toEqual({ type: 'image', url });
    expect(image(new URL(url))).toEqual({ type: 'image', url });
    expect(image('data:image/png;base64,eA==').url).toBe('data:image/png;base64,eA==');
  });

  it.each(['chart.png', 'file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x'])(
    'refuses %s',
    (source) => {
      expect(() => image(source)).toThrow('image(await readFile(path))');
    },
  );
});
