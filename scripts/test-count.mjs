// Prints "N passed, N failed" (", N skipped") from a Vitest JSON report; exits with 1 unless all is well.
import { readFileSync } from 'node:fs';

/** A file that fails before its first test, or a run that leaves no report, counts as one failure. */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { success: false, numPassedTests: 0, numFailedTests: 1, testResults: [] };
  }
}

const report = readReport(process.argv[2]);
const brokenFiles = report.testResults.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
);
const passed = report.numPassedTests;
const failed = report.numFailedTests + brokenFiles.length;
const skipped = (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0);

console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = report.success && failed === 0 ? 0 : 1;
