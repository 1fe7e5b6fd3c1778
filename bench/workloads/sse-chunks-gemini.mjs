import { protocolWorkload } from '../lib/protocol-workload.mjs';

export default protocolWorkload({
  name: 'sse-chunks-gemini',
  work: 'Gemini',
  protocol: 'generate-content',
  others: ['ai'],
});
