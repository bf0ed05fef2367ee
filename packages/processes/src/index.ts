export { guardGroup } from './guard-group.ts';
export { type Hold, holdFolder, type Holder } from './hold-folder.ts';
export { isErrno } from './is-errno.ts';
export { kill, killGroup } from './kill-group.ts';
