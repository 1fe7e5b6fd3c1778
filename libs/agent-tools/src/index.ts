export type { JsonSchema, ObjectJsonSchema } from './schemas/interfaces/json-schema.interface.js';
export type { ToolSchema } from './schemas/interfaces/tool-schema.interface.js';
export type {
  InferSchemaOutput,
  SchemaSource,
} from './schemas/interfaces/schema-source.interface.js';
export type * from './models/interfaces/chat-message.interface.js';
export type * from './models/interfaces/chat-model.interface.js';
export * from './models/chat-model.exception.js';
