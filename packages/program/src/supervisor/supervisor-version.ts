/** The release of the protocol that this supervisor is held to; `yield_version` of a manifest must equal it. */
export const SUPERVISOR_VERSION = '0.2.0';
