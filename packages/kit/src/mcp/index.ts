export { type McpHttpServer, serveMcpHttp } from './serve-mcp-http.ts';
export { type McpOptions, serveMcp } from './serve-mcp.ts';
