import { TestSetupException } from '../fetch/test-setup.exception.js';
import type {
  RecordedInteraction,
  RecordedRequest,
  ReplayTrafficOptions,
} from '../interfaces/traffic.interface.js';
import { playBody } from '../fetch/played-body.js';
import {
  describeDifference,
  findDifferences,
  isPathIn,
  type Difference,
} from './body.difference.js';
import { decodeBody } from './recorded-body.js';
import { splitBody } from './body.pieces.js';
import { recordRequest } from './request.recorder.js';
import { SecretRedactor } from './secret.redactor.js';
import { readRequest, type SentRequest } from './sent-request.js';

const MAX_DIFFERENCES = 5;

/** Answers requests from a recording. */
export class TrafficPlayer {
  private readonly left: RecordedInteraction[];
  private readonly ignored: readonly (readonly string[])[];

  constructor(
    private readonly file: string,
    private readonly interactions: readonly RecordedInteraction[],
    private readonly options: ReplayTrafficOptions,
  ) {
    this.left = [...interactions];
    this.ignored = (options.ignore ?? []).map((path) => path.split('.'));
  }

  async send(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.throwIfAborted();
    const sent = await readRequest(input, init);
    signal?.throwIfAborted();
    const { response } = this.take(sent);
    const { status, headers, interrupted } = response;
    const bytes = decodeBody(response.body);
    const pieces = splitBody(bytes, headers['content-type'], this.options.chunkSize);
    const end = interrupted ? 'reset' : 'close';
    const isEmpty = bytes.length === 0 && !interrupted;
    const body = isEmpty ? null : playBody(pieces, end, signal);
    return new Response(body, { status, headers });
  }

  assertComplete(): void {
    const { left, interactions, file } = this;
    if (left.length === 0) return;
    const requests = left.map(({ request }) => `  ${request.method} ${request.uri}`);
    throw new Error(
      `${left.length} of ${interactions.length} requests of ${file} were not made:\n${requests.join('\n')}`,
    );
  }

  private take(sent: SentRequest): RecordedInteraction {
    const forms = toForms(sent);
    const compared = this.left.map(({ request }) => this.compare(request, forms));
    const index = compared.findIndex((differences) => differences.length === 0);
    if (index < 0) throw this.notRecorded(forms[0], compared);
    return this.left.splice(index, 1)[0];
  }

  /** The differences to the form of the request that is nearest. */
  private compare(recorded: RecordedRequest, forms: readonly RecordedRequest[]): Difference[] {
    const all = forms.map((sent) => [
      ...findDifferences(recorded.method, sent.method, [], ['method']),
      ...findDifferences(pathOf(recorded.uri), pathOf(sent.uri), [], ['path']),
      ...findDifferences(recorded.body, sent.body, this.ignored),
    ]);
    return all.reduce((best, next) => (next.length < best.length ? next : best));
  }

  private notRecorded(
    sent: RecordedRequest,
    compared: readonly Difference[][],
  ): TestSetupException {
    const { file, interactions } = this;
    const what = `${file} has no recording for ${sent.method} ${pathOf(sent.uri)}: `;
    if (compared.length === 0) {
      return new TestSetupException(
        `${what}all ${interactions.length} of it were used. Record it again.`,
      );
    }
    const nearest = compared.reduce((best, next) => (next.length < best.length ? next : best));
    const shown = nearest.slice(0, MAX_DIFFERENCES).map(describeDifference);
    const more = nearest.length - shown.length;
    return new TestSetupException(
      `${what}the nearest one differs in ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}. ` +
        `Record it again, or list what may differ in \`ignore\`.${this.describeIdle(sent)}`,
    );
  }

  /** A path with a slip fits nothing, and that shows only here. */
  private describeIdle(sent: RecordedRequest): string {
    const bodies = [...this.interactions.map(({ request }) => request.body), sent.body];
    const idle = this.ignored.filter((path) => !bodies.some((body) => isPathIn(body, path)));
    if (idle.length === 0) return '';
    const paths = idle.map((path) => `\`${path.join('.')}\``).join(', ');
    return ` Of \`ignore\`, ${paths} ${idle.length > 1 ? 'are' : 'is'} in no request.`;
  }
}

/**
 * The request as the file would have it. The second form is without the removal of the key's own
 * value, as a test's key may be a word that occurs in the text.
 */
function toForms(sent: SentRequest): RecordedRequest[] {
  return [sent.secrets, []].map((secrets) => recordRequest(sent, new SecretRedactor(secrets)));
}

/** Without the host: a recording may come from a proxy, or from a server on another port. */
function pathOf(uri: string): string {
  const { pathname, search } = new URL(uri);
  return pathname + search.replaceAll('%5Bredacted%5D', '[redacted]');
}
