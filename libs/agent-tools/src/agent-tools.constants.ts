/** Metadata keys, fixed names and the default numbers of tools and runs. */

export const AGENT_TOOLS_MODULE_OPTIONS = 'AGENT_TOOLS_MODULE_OPTIONS';
export const AGENT_TOOLS_MODEL_NAMES = 'AGENT_TOOLS_MODEL_NAMES';

/** On a prototype: `Map<method name, ToolDeclaration>`. Survives decorators that replace the method. */
export const TOOL_DECLARATIONS_METADATA = 'agent-tools:declarations';
/** On a method: its `ToolOptions`, for `Reflector` in guards and interceptors. */
export const TOOL_OPTIONS_METADATA = 'agent-tools:tool';
/** On (class, method): `ToolParameterMark[]`. */
export const TOOL_PARAMETERS_METADATA = 'agent-tools:parameters';
/** On a prototype: the names of the methods that have a parameter decorator of ours. */
export const MARKED_METHODS_METADATA = 'agent-tools:marked-methods';

/**
 * Nest's own keys, part of its decorators' behaviour since version 5. They are written out because
 * the two majors export them under different paths.
 */
export const GUARDS_METADATA = '__guards__';
export const INTERCEPTORS_METADATA = '__interceptors__';
export const PIPES_METADATA = '__pipes__';
export const EXCEPTION_FILTERS_METADATA = '__exceptionFilters__';
export const ROUTE_ARGS_METADATA = '__routeArguments__';
export const CUSTOM_ROUTE_ARGS_METADATA = '__customRouteArgs__';
export const FILTER_CATCH_EXCEPTIONS = '__filterCatchExceptions__';
export const SCOPE_OPTIONS_METADATA = 'scope:options';
export const PARAMTYPES_METADATA = 'design:paramtypes';

/** What `ExecutionContext#getType()` returns in a tool call. */
export const AGENT_TOOL_CONTEXT_TYPE = 'agent-tool';

/** The field in which a conversation keeps arguments that could not be read. */
export const INVALID_JSON_FIELD = 'INVALID_JSON';

/** Names that can be shown: no blanks at the ends, no control characters. */
export const TOOL_NAME_PATTERN = /^(?! )[^\p{C}]{1,256}(?<! )$/u;

/** Milliseconds that one tool call may take. */
export const DEFAULT_TOOL_TIMEOUT = 30_000;
/** Milliseconds that no call may exceed, whatever its options say. */
export const MAX_TOOL_TIMEOUT = 3_600_000;
/** Characters of a tool result that the model gets. */
export const MAX_RESULT_LENGTH = 40_000;
/** Milliseconds that running calls get to end after their run was aborted. */
export const ABORT_GRACE = 1_000;

export const DEFAULT_STEP_LIMIT = 10;
export const DEFAULT_TOOL_CALL_LIMIT = 50;
/** Rounds in a row without a success after which a run fails. */
export const DEFAULT_FAILED_STEP_LIMIT = 3;
/** Calls of invented tools that are answered with the names of the real ones. */
export const DEFAULT_UNKNOWN_TOOL_LIMIT = 3;
/** Corrections of its calls that a model may make, for each tool, before the tool is not run any more. */
export const DEFAULT_MAX_CORRECTIONS = 3;
/** Calls that may wait for a tool with limited concurrency. */
export const DEFAULT_QUEUE = 100;
/** Milliseconds before a failed call is repeated, and the most that a wait may grow to. */
export const DEFAULT_RETRY_DELAY = 200;
export const DEFAULT_MAX_RETRY_DELAY = 5_000;
/** Milliseconds that a run may take. */
export const DEFAULT_RUN_TIMEOUT = 120_000;
