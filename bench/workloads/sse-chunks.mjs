import { protocolWorkload } from '../lib/protocol-workload.mjs';

export default protocolWorkload({
  name: 'sse-chunks',
  work: 'Chat Completions',
  protocol: 'chat-completions',
  others: ['ai', 'langchain'],
  limit: 150_000,
});
