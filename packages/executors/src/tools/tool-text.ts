import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { sizeInWords } from '../memory/preview.ts';

/**
 * The text of a tool's result.
 * Text blocks are joined by line ends. What is no text is named, not shown: variables hold text. Structured content
 * is used when there is no text at all; servers that give both repeat it in the text.
 */
export function toolText(result: CallToolResult): string {
  const blocks = result.content ?? [];
  const hasText = blocks.some((block) => block.type === 'text' && block.text !== '');
  if (!hasText && result.structuredContent !== undefined) {
    const rest = blocks.filter((block) => block.type !== 'text').map(blockText);
    return [JSON.stringify(result.structuredContent), ...rest].join('\n');
  }
  return blocks.map(blockText).join('\n');
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${sizeInWords(decodedLength(block.data))}]`;
    case 'resource_link':
      return `[resource ${block.uri}${block.mimeType === undefined ? '' : `, ${block.mimeType}`}]`;
    case 'resource':
      if ('text' in block.resource) return block.resource.text;
      return `[resource ${block.resource.uri}, ${block.resource.mimeType ?? 'binary'}, ${sizeInWords(decodedLength(block.resource.blob))}]`;
  }
}

const decodedLength = (base64: string): number => Math.floor((base64.length * 3) / 4);
