import { protocolWorkload } from '../lib/protocol-workload.mjs';

export default protocolWorkload({
  name: 'sse-chunks-anthropic',
  work: 'Anthropic Messages',
  protocol: 'messages',
  others: ['ai', 'langchain'],
});
