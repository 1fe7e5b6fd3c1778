// A recorded request to Gemini as the library's own request, so that encoding it again must give an
// equal body, apart from the differences that are listed here.
import { inspect, isDeepStrictEqual } from 'node:util';

/** Each is undone in both bodies before they are compared. */
export const DIFFERENCES = [
  {
    what: 'snake_case names of fields',
    why: 'The API takes both forms; the library sends camelCase.',
  },
  { what: '`systemInstruction.role`', why: 'It says nothing; the library leaves it out.' },
  { what: 'an empty `generationConfig`', why: 'The library leaves it out.' },
  { what: 'parts with an empty text and no signature', why: 'They say nothing.' },
  { what: 'neighbouring contents of one role', why: 'The library makes one of them.' },
  {
    what: '`parameters` in place of `parametersJsonSchema`',
    why: 'The library sends JSON Schema, whose types are in lower case.',
  },
  {
    what: '`functionResponse.response` with other keys than `output` and `error`, or none',
    why: 'The library uses the keys that the API documents, and never sends an empty result.',
  },
  {
    what: '`allowedFunctionNames` that list all tools',
    why: 'Without the list, all of them are allowed.',
  },
  {
    what: 'ids of calls that only one of the bodies has',
    why: 'The API makes none for some models; the library sends its own ones.',
  },
];

const SETTINGS = {
  temperature: 'temperature',
  topP: 'topP',
  maxOutputTokens: 'maxTokens',
  stopSequences: 'stop',
  seed: 'seed',
};

/** `options` are those of `toGeminiBody()`, without the model, which is in the address. */
export function readRequest(recorded) {
  const {
    contents,
    systemInstruction,
    tools,
    toolConfig,
    safetySettings,
    generationConfig,
    ...rest
  } = toCamel(recorded);
  const declarations = (tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []);
  const isPlain = (tools ?? []).every((tool) => tool.functionDeclarations);
  const { functionCallingConfig: calling, ...otherConfig } = toolConfig ?? {};
  const { settings, others } = readConfig(generationConfig ?? {});
  const body = {
    ...rest,
    ...(!isPlain && { tools }),
    ...(Object.keys(otherConfig).length > 0 && { toolConfig }),
    ...(Object.keys(others).length > 0 && { generationConfig: others }),
  };
  return {
    request: {
      messages: [
        ...(systemInstruction?.parts ?? []).map(({ text }) => ({ role: 'system', content: text })),
        ...contents.flatMap(readContent),
      ],
      tools: declarations.map((declaration) => ({
        name: declaration.name,
        description: declaration.description,
        inputSchema: schemaOf(declaration),
        ...(calling?.mode === 'VALIDATED' && { strict: true }),
      })),
      ...(calling && { toolChoice: readChoice(calling, declarations) }),
    },
    options: { ...settings, ...(safetySettings && { safetySettings }), body },
  };
}

/** What differs, one text for each place; empty for equal bodies. */
export function sameAs(recorded, encoded) {
  const differences = [];
  compare(normalize(recorded), normalize(encoded), 'body', differences);
  return differences;
}

function readContent({ role, parts }) {
  if (role === 'model') return [{ role: 'assistant', content: parts.flatMap(readModelPart) }];
  const results = parts.filter((part) => part.functionResponse);
  const others = parts.filter((part) => !part.functionResponse);
  return [
    ...(results.length > 0 ? [{ role: 'tool', content: results.map(readResult) }] : []),
    ...(others.length > 0 ? [{ role: 'user', content: others.map(readUserPart) }] : []),
  ];
}

function readUserPart({ text, inlineData, fileData }) {
  if (inlineData) {
    return { type: 'image', url: `data:${inlineData.mimeType};base64,${inlineData.data}` };
  }
  return fileData ? { type: 'image', url: fileData.fileUri } : { type: 'text', text };
}

function readModelPart(part) {
  const { text, thought, thoughtSignature, functionCall } = part;
  const metadata = thoughtSignature && { providerMetadata: { gemini: { thoughtSignature } } };
  if (functionCall) {
    const { id = `no id: ${functionCall.name}`, name, args } = functionCall;
    return [{ type: 'tool-call', id, name, arguments: JSON.stringify(args ?? {}), ...metadata }];
  }
  if (text === undefined) {
    return [{ type: 'reasoning', text: '', providerMetadata: { gemini: { part } } }];
  }
  return [{ type: thought ? 'reasoning' : 'text', text, ...metadata }];
}

function readResult({ functionResponse: { id, name, response } }) {
  const { error } = response;
  const status = error === undefined ? 'success' : 'error';
  return {
    type: 'tool-result',
    callId: id ?? `no id: ${name}`,
    name,
    status,
    content: told(response),
  };
}

function told(response) {
  const value = response.error ?? response.output ?? response.return_value ?? response;
  if (typeof value === 'string') return value;
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value);
}

function readChoice({ mode, allowedFunctionNames: allowed }, declarations) {
  if (mode === 'NONE') return 'none';
  if (mode !== 'ANY') return 'auto';
  return allowed?.length === 1 && declarations.length > 1 ? { tool: allowed[0] } : 'required';
}

function readConfig(config) {
  const settings = {};
  const others = {};
  for (const [name, value] of Object.entries(config)) {
    if (SETTINGS[name]) settings[SETTINGS[name]] = value;
    else if (name === 'thinkingConfig' && value.thinkingBudget !== undefined) {
      settings.reasoningBudget = value.thinkingBudget;
      if (value.includeThoughts !== undefined) settings.includeThoughts = value.includeThoughts;
    } else if (name === 'responseMimeType' && value === 'application/json') {
      const schema = config.responseJsonSchema;
      settings.responseFormat = { type: 'json', ...(schema && { schema }) };
    } else if (name !== 'responseJsonSchema') others[name] = value;
  }
  return { settings, others };
}

function schemaOf({ parameters, parametersJsonSchema }) {
  return (
    parametersJsonSchema ??
    (parameters ? lowerTypes(parameters) : { type: 'object', properties: {} })
  );
}

// --- normalising -----------------------------------------------------------------------------------

function normalize(body) {
  const { systemInstruction, contents, tools, toolConfig, generationConfig, ...rest } =
    toCamel(body);
  const declared = (tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []);
  return {
    ...rest,
    system: systemInstruction?.parts,
    contents: mergeRoles(contents),
    tools: tools?.map((tool) => ({
      ...tool,
      ...(tool.functionDeclarations && {
        functionDeclarations: tool.functionDeclarations.map((declaration) => ({
          name: declaration.name,
          description: declaration.description,
          parametersJsonSchema: schemaOf(declaration),
        })),
      }),
    })),
    toolConfig: toolConfig && withoutFullList(toolConfig, declared),
    generationConfig: Object.keys(generationConfig ?? {}).length > 0 ? generationConfig : undefined,
  };
}

function mergeRoles(contents) {
  const merged = [];
  for (const { role, parts } of contents) {
    const kept = parts
      .filter((part) => part.text !== '' || part.thoughtSignature)
      .map(normalizePart);
    if (merged.at(-1)?.role === role) merged.at(-1).parts.push(...kept);
    else merged.push({ role, parts: kept });
  }
  return merged;
}

function normalizePart(part) {
  if (part.functionCall) {
    const { id: _id, ...call } = part.functionCall;
    return { ...part, functionCall: { args: {}, ...call } };
  }
  if (!part.functionResponse) return part;
  const { id: _id, response, ...result } = part.functionResponse;
  const key = response.error === undefined ? 'output' : 'error';
  const text = told(response) || '(no output)';
  return { functionResponse: { ...result, response: { [key]: text } } };
}

function withoutFullList(config, declared) {
  const { allowedFunctionNames: allowed, ...calling } = config.functionCallingConfig ?? {};
  if (!allowed || allowed.length !== declared.length) return config;
  return { ...config, functionCallingConfig: calling };
}

/** Names of the application's own data stay as they are. */
const OWN = new Set(['args', 'response', 'labels', 'parametersJsonSchema', 'responseJsonSchema']);

function toCamel(value) {
  if (Array.isArray(value)) return value.map(toCamel);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const camel = name.replace(/_([a-z])/g, (_match, letter) => letter.toUpperCase());
      return [camel, OWN.has(camel) ? inner : toCamel(inner)];
    }),
  );
}

function lowerTypes(schema) {
  if (Array.isArray(schema)) return schema.map(lowerTypes);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === 'type' && typeof value === 'string' ? value.toLowerCase() : lowerTypes(value),
    ]),
  );
}

function compare(one, other, path, differences) {
  if (isDeepStrictEqual(one, other)) return;
  const isTree = (value) => typeof value === 'object' && value !== null;
  if (!isTree(one) || !isTree(other) || Array.isArray(one) !== Array.isArray(other)) {
    differences.push(`${path}: ${inspect(one)} was recorded, ${inspect(other)} encoded`);
    return;
  }
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    compare(one[key], other[key], `${path}.${key}`, differences);
  }
}
