import { picture } from '../../archives/sample-files.ts'
import type { SaveParts } from '../../drive/prepare.ts'
import { saved, wholeOrRefused } from '../../judge/common-verdicts.ts'
import { urlOf, whyNotPublic, whyOtherBytes, whyStateNotKept } from '../../judge/save-answer.ts'
import { verdict } from '../../judge/verdict.ts'
import { whyNotAccepted } from '../../protocol/answer.ts'
import type { Severity, Case } from '../../suite/case.ts'
import { contract, listener } from '../../suite/case.ts'
import { dummyRule } from './expecting.ts'

/** A save with one oddity, which must be stored completely or refused. */
const oddSave = (
  id: string,
  name: string,
  rule: string,
  parts: SaveParts,
  severity: Severity = 'breaks the contract',
  dependsOn = 'media-served',
): Case => ({
  id,
  name,
  rule,
  severity,
  dependsOn,
  run: async (bench) => wholeOrRefused(bench, await bench.save(parts)),
})

/** Assets and files that do not match. */
export const assets: readonly Case[] = [
  oddSave(
    'no-assets',
    'A state without assets is saved or refused',
    contract('Callback answer', 'data.vms_json: the updated editor state'),
    {
      files: {},
      state: '{"title":"no assets"}',
    },
  ),
  oddSave(
    'empty-file',
    'An empty file is saved or refused',
    contract('Site callback endpoint', 'stores each vms_media/* file'),
    {
      files: { 'empty.png': Buffer.alloc(0) },
    },
  ),
  {
    id: 'file-without-asset',
    name: 'URLs are filled in, and no assets are added',
    rule: listener('entries are never created'),
    severity: 'unwise',
    dependsOn: ['state-kept', 'state-empty-object'],
    run: async (bench) => {
      const state = '{"title":"unnamed","assets":{}}'
      const delivered = await bench.save({ files: { 'unnamed.png': picture('unnamed') }, state })
      return verdict('assets as they were sent', whyStateNotKept(delivered))
    },
  },
  oddSave(
    'asset-without-file',
    'An asset whose file is missing is not accepted: the service would call the save failed',
    dummyRule,
    {
      files: {},
      state: '{"assets":{"gone.png":{"clientUrl":"dummy-gone.png"}}}',
    },
    'unsafe',
  ),
  oddSave(
    'asset-without-url',
    'An asset with an empty clientUrl and no file is not answered unchanged',
    dummyRule,
    {
      files: {},
      state: '{"assets":{"gone.png":{"clientUrl":""}}}',
    },
    'unsafe',
    'asset-without-file',
  ),
  oddSave(
    'asset-null',
    'An asset that is null is not answered unchanged',
    dummyRule,
    {
      files: { 'null.png': picture('null') },
      state: '{"assets":{"null.png":null}}',
    },
    'unsafe',
    'asset-without-file',
  ),
  {
    id: 'asset-with-public-url',
    name: 'An asset that is public already and not in the archive keeps its URL and its file',
    rule: contract(
      'Site callback endpoint',
      'writes the public URL into vms_json.assets[<filename>].clientUrl of each vms_media/* file',
    ),
    severity: 'breaks the contract',
    dependsOn: 'media-served',
    run: async (bench) => {
      const kept = picture(bench.run.fresh())
      const first = await bench.save({ files: { 'kept.png': kept } })
      const url = urlOf(first.answer, 'kept.png')
      const why = whyNotAccepted(first.answer) ?? whyNotPublic(url)
      if (why !== null || url === undefined) return verdict('a first save with a public URL', why)
      const second = await bench.save({
        files: {},
        state: JSON.stringify({ assets: { 'kept.png': { clientUrl: url } } }),
      })
      if (whyNotAccepted(second.answer) !== null) return wholeOrRefused(bench, second)
      const now = urlOf(second.answer, 'kept.png')
      const lost = now === url ? await whyOtherBytes(bench, url, kept, 'kept.png') : null
      return verdict(
        'rc 1 with the same URL, which still serves its file, or a refusal',
        now === url ? lost : `another clientUrl: "${now ?? 'none'}"`,
      )
    },
  },
  {
    id: 'asset-replaced',
    name: 'A file that is sent again under a public URL is stored again',
    rule: contract('Site callback endpoint', 'stores each vms_media/* file and writes its public URL'),
    severity: 'breaks the contract',
    dependsOn: 'media-changed',
    run: async (bench) => {
      const earlier = 'https://example.com/earlier.png'
      const state = JSON.stringify({ assets: { 'again.png': { clientUrl: earlier } } })
      const delivered = await bench.save({ files: { 'again.png': picture(bench.run.fresh()) }, state })
      const isEarlier = urlOf(delivered.answer, 'again.png') === earlier
      return isEarlier
        ? verdict('the URL of the stored file', 'the clientUrl that was there before')
        : saved(bench, delivered)
    },
  },
]
