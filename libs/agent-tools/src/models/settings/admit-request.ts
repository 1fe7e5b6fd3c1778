import type { ChatRequest } from '../interfaces/chat-model.interface.js';
import type { ChatSettings } from '../interfaces/chat-settings.interface.js';
import { checkOptionNames } from '../../utils/check-option-names.js';
import { checkRequest } from './check-request.js';
import { mergeSettings } from './merge-settings.js';
import { SETTING_NAMES, SETTING_REMEDY } from './setting-names.js';

/**
 * What every model does with a request before it asks: refuses one in a form of its own, and puts the
 * request's settings over the model's.
 *
 * @param label Which model, for the exception.
 * @param own Those of the model.
 * @param remedy What to do about a setting that nobody knows. @default to give it as `body`
 * @returns the settings to ask with; whether the provider has them is not checked
 * @throws TypeError if it is no request, or has a setting that there is not
 * @publicApi
 */
export function admitRequest(
  label: string,
  request: ChatRequest,
  own: ChatSettings,
  remedy = SETTING_REMEDY,
): ChatSettings {
  checkRequest(request);
  const { settings } = request;
  if (!settings) return own;
  checkOptionNames(label, settings, SETTING_NAMES, remedy);
  return mergeSettings(own, settings);
}
