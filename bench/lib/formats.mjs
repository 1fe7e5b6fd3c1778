export const perSecond = (value) => `${Math.round(value).toLocaleString('en-US')}/s`;
export const milliseconds = (value, digits = value < 100 ? 1 : 0) => `${value.toFixed(digits)} ms`;
export const microseconds = (value) => `${value.toFixed(2)} µs`;
export const megabytes = (value) => `${value.toFixed(1)} MB`;
export const exponent = (value) => value.toFixed(2);
