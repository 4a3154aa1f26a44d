import { font } from '../../archives/sample-files.ts'
import { refused } from '../../judge/common-verdicts.ts'
import { clientUrlsIn, treeIn } from '../../judge/fonts-answer.ts'
import { whyEscaped } from '../../judge/save-answer.ts'
import { verdict } from '../../judge/verdict.ts'
import { isAccepted, whyNotRefused, describeAnswer } from '../../protocol/answer.ts'
import { page, status } from '../../service/download-handlers.ts'
import type { Case } from '../../suite/case.ts'
import { advice, contract, listener } from '../../suite/case.ts'
import { bad } from './expecting.ts'

const nothingToSave = contract('Callback answer', 'rc 1 = accepted and saved; nothing arrived that could be saved')

/** Invalid font sets, which must be refused. */
export const unusable: readonly Case[] = [
  bad(
    'fonts-not-zip',
    'Fonts that are not a ZIP file are not accepted',
    { archive: () => Buffer.from('nothing') },
    'breaks the contract',
    nothingToSave,
  ),
  bad(
    'fonts-cut',
    'A truncated fonts archive is not accepted',
    { archive: (zip) => zip.subarray(0, -60) },
    'breaks the contract',
    nothingToSave,
  ),
  bad(
    'fonts-404',
    'Fonts whose archive is missing are not accepted',
    { handler: status(404) },
    'breaks the contract',
    nothingToSave,
  ),
  bad(
    'fonts-page',
    'A web page in place of the fonts is not accepted',
    { handler: page },
    'breaks the contract',
    nothingToSave,
  ),
  bad(
    'fonts-no-css',
    'A fonts archive without vms_fonts.css is not accepted',
    { entries: (all) => all.filter(({ name }) => name !== 'vms_fonts.css') },
    'unwise',
    contract('Fonts ZIP contents', 'vms_fonts.css: CSS with @font-face rules'),
  ),
  {
    id: 'fonts-climb',
    name: 'A font file with .. in its name stays in its folder',
    rule: advice('a backend that uses the names in an archive as paths writes wherever the sender wants'),
    severity: 'unsafe',
    dependsOn: 'entry-stays-inside',
    run: async (bench) => {
      const id = '../../conformance-evil.woff2'
      const tree = { list: [{ files: { woff2: { id, clientUrl: '' } } }] }
      const data = font('evil')
      const { answer } = await bench.fonts({ tree, entries: (all) => [...all, { name: `vms_fonts/${id}`, data }] })
      const url = clientUrlsIn(treeIn(answer)).get(id)
      const expected = 'refused, left out, or served under its own URL'
      const why = isAccepted(answer) ? await whyEscaped(bench, url, data) : whyNotRefused(answer)
      return verdict(expected, why, describeAnswer(answer))
    },
  },
  bad(
    'fonts-crc',
    'A font file with a wrong checksum is not accepted',
    {
      entries: (all) => all.map((entry) => (entry.name === 'vms_fonts.css' ? { ...entry, says: { crc: 5 } } : entry)),
    },
    'unsafe',
    listener('archive damaged: rc 0, invalid_archive'),
    'archive-crc-media',
  ),
  {
    id: 'fonts-content-url-empty',
    name: 'A fonts callback with an empty content_url is refused',
    rule: contract('Site callback endpoint', 'Download the ZIP from content_url'),
    severity: 'breaks the contract',
    dependsOn: 'content-url-empty',
    run: async (bench) => refused(bench, await bench.fonts({ address: () => '' })),
  },
]
