import { describeRole } from './describe-role.ts';

await describeRole('tool');
