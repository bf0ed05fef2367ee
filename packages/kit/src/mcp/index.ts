export { type McpHttpServer, serveMcpHttp } from './serve-mcp-http.ts';
export { serveMcp } from './serve-mcp.ts';
