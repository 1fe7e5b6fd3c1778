declare module 'nestjs-agent-tools' {
  interface AgentRunContext {
    currency: string;
  }
}

export {};
