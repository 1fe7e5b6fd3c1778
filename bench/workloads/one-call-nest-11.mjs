import { callWorkload } from '../lib/call-workload.mjs';

export default callWorkload({
  name: 'one-call-nest-11',
  work: 'one call, 3 enhancers',
  form: 'static',
  nest: 11,
});
