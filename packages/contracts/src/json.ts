import { Type } from 'typebox';

/** Any JSON value, as tool arguments and schemas hold it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** Schema of any JSON value: nothing to check, the type says it all. */
export const Json = Type.Unsafe<Json>({});
/** Schema of any JSON object. */
export const JsonObject = Type.Unsafe<JsonObject>({ type: 'object' });
