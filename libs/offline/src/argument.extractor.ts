import type { ChatTool, JsonSchema } from 'nestjs-agent-tools';
import { type Parameter, parametersOf } from './parameter.reader.js';
import type { Token } from './prompt.reader.js';
import { contentWords, splitWords } from './word.normalizer.js';

/** Weights of tokens, written `before <kind> after`, for what is said about a text parameter. */
const RULES: readonly (readonly [about: RegExp, token: RegExp, weight: number])[] = [
  [/./, /<quoted>/, 4],
  [/./, /<(?:name|code|email|uri)>/, 3],
  [/./, /<word>/, 1],
  [/./, /<(?:number|date|time)>/, -4],
  [/\b(?:ids?|number|no|code|ref|key|phone|zip|year|currency)\b/, /<(?:name|word|email)>/, -3],
  [/\b(?:ids?|number|no|code|ref|key|phone|zip|year)\b/, /<number>/, 7],
  [/\b(?:date|day|time|mail|ur[il])(?!.*\bname)/, /<(?:name|word|code)>/, -3],
  [/\b(?:date|day)/, /<date>/, 9],
  [/\b(?:time|hour)/, /<time>/, 9],
  [/mail/, /<email>/, 3],
  [/\b(?:city|place|location|country|region|town|area|address)/, /\b(?:in|at|near|to|for) </, 2],
  [/\b(?:name|person|user|author|artist|recipient|owner)/, /\b(?:for|of|by|with) </, 2],
  [/\bunit/, /(?:\d|to|into|in|many) <(?:word|known)>/, 3],
];
/** The same for parameters of all types. */
const FROM = ...
