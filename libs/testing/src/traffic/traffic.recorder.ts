import { Logger } from '@nestjs/common';
import type {
  RecordedResponse,
  RecordedRequest,
  RecordTrafficOptions,
} from '../interfaces/traffic.interface.js';
import { encodeBody } from './recorded-body.js';
import { keepHeaders, recordRequest } from './request.recorder.js';
import { SecretRedactor } from './secret.redactor.js';
import { readRequest } from './sent-request.js';
import { watchBody } from './watched-body.js';
import { notWritable, writeTraffic } from './traffic.file.js';

/** Sends requests and keeps them with their answers in a file. */
export class TrafficRecorder {
  /** As JSON texts, so that none is written out twice. Those that are not finished are empty. */
  private readonly interactions: string[] = [];

  private failure?: Error;

  constructor(
    private readonly file: string,
    private readonly options: RecordTrafficOptions,
  ) {}

  async send(...given: Parameters<typeof fetch>): Promise<Response> {
    if (this.failure) throw this.failure;
    const index = this.interactions.push('') - 1;
    const sent = await readRequest(...given);
    const redactor = new SecretRedactor([...sent.secrets, ...(this.options.secrets ?? [])]);
    const request = recordRequest(sent, redactor, this.options);
    const response = await (this.options.fetch ?? fetch)(...sent.args);
    const { status } = response;
    const headers = keepHeaders(response.headers, redactor, this.options);
    return watchBody(response, (bytes, interrupted) => {
      const body = encodeBody(bytes, redactor);
      this.keep(index, request, { status, headers, body, ...(interrupted && { interrupted }) });
    });
  }

  /**
   * An error would be told as one of the answer, which is paid for and good: so it is that of the next
   * request.
   */
  private keep(index: number, request: RecordedRequest, response: RecordedResponse): void {
    this.interactions[index] = JSON.stringify({ request, response }, undefined, 2);
    try {
      writeTraffic(
        this.file,
        this.interactions.filter((text) => text !== ''),
      );
      this.failure = undefined;
    } catch (error) {
      this.failure = notWritable(this.file, error as Error);
      new Logger('AgentTools').error(this.failure.message);
    }
  }
}
