export { offline, type OfflineOptions } from './offline.model.js';
