import { protocolWorkload } from '../lib/protocol-workload.mjs';

export default protocolWorkload({
  name: 'sse-chunks-responses',
  work: 'Responses',
  protocol: 'responses',
  others: ['ai', 'langchain'],
});
