import { type Asset, isBlank, quoted } from '@skillyard/engine';
import { isGiven } from '../given.ts';
import type { AssetVocabulary } from '../lint-options.ts';
import { listed } from '../listed.ts';
import type { RuleReport } from '../rule-report.ts';
import type { FlowCheck } from '../subject.ts';

/** W11: a param of an asset that nobody reads, or a program without a language. */
export const checkW11: FlowCheck = ({ workflow, options }, report) => {
  for (const [name, asset] of workflow.assets) {
    checkParams(name, asset, options.assets ?? {}, report);
    checkLanguage(name, asset, options.assets ?? {}, report);
  }
};

function checkParams(name: string, asset: Asset, { knownParams }: AssetVocabulary, report: RuleReport): void {
  const params = Object.keys(asset.params);
  if (params.length === 0) return;
  if (!isGiven(knownParams)) {
    report.skip('assets.known_params');
    return;
  }
  for (const param of params) {
    if (knownParams.includes(param)) continue;
    report.add({
      position: asset.position,
      message: `The asset ${quoted(name)} has the param ${quoted(param)}, which nobody reads.`,
      hint: `Known params are: ${listed(knownParams)}.`,
    });
  }
}

/** What an asset is, and so whether it needs a language, only the vocabulary tells. */
function checkLanguage(
  name: string,
  asset: Asset,
  { codeKinds, langParam = '' }: AssetVocabulary,
  report: RuleReport,
): void {
  if (isBlank(asset.kind)) return;
  if (!isGiven(codeKinds)) {
    report.skip('assets.code_kinds');
    return;
  }
  if (!codeKinds.includes(asset.kind)) return;
  if (langParam === '') {
    report.skip('assets.lang_param');
    return;
  }
  const language = Object.hasOwn(asset.params, langParam) ? asset.params[langParam] : undefined;
  if (typeof language === 'string' && !isBlank(language)) return;
  report.add({
    position: asset.position,
    message: `The asset ${quoted(name)} is ${asset.kind} and does not say in which language.`,
    hint: `Write it under \`params\`: ${langParam}: python.`,
  });
}
