import { callWorkload } from '../lib/call-workload.mjs';

export default callWorkload({
  name: 'request-scoped-host',
  work: 'one call, request-scoped host',
  form: 'request-scoped-host',
  nest: 12,
});
