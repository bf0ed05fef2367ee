import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { sizeInWords } from '../memory/preview.ts';

/**
 * The text of a tool's result.
 * Text blocks are joined by line ends. What is no text is named, not shown: variables hold text. Structured content
 * is used when there is no text at all; servers that give both repeat it in the text. So an empty text with structured
 * content that holds nothing either is an empty result, such as `{"content": ""}` for an empty file.
 */
export function toolText(result: CallToolResult): string {
  const blocks = result.content ?? [];
  const { structuredContent } = result;
  const texts = blocks.filter((block) => block.type === 'text');
  const isSaid =
    texts.some((block) => block.text !== '') || (texts.length > 0 && holdsNothing(structuredContent));
  if (!isSaid && structuredContent !== undefined) {
    const rest = blocks.filter((block) => block.type !== 'text').map(blockText);
    return [JSON.stringify(structuredContent), ...rest].join('\n');
  }
  return blocks.map(blockText).join('\n');
}

/** Nothing but empty texts, lists and objects, and nulls. */
function holdsNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(holdsNothing);
  return value === '' || value === null || value === undefined;
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
