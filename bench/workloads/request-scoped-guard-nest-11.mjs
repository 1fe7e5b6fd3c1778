import { callWorkload } from '../lib/call-workload.mjs';

export default callWorkload({
  name: 'request-scoped-guard-nest-11',
  work: 'one call, request-scoped guard',
  form: 'request-scoped-guard',
  nest: 11,
});
