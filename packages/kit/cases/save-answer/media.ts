import { picture } from '../../archives/sample-files.ts'
import { saved } from '../../judge/common-verdicts.ts'
import {
  urlOf,
  whyNotAllServed,
  whyNotFetched,
  whyNotPublic,
  whyStateNotKept,
  whyUrlsNotPublic,
} from '../../judge/save-answer.ts'
import { verdict } from '../../judge/verdict.ts'
import { isAccepted, whyNotAccepted } from '../../protocol/answer.ts'
import type { Case } from '../../suite/case.ts'
import { advice, contract } from '../../suite/case.ts'
import { dummyRule, otherMaterial, plainSave } from './expecting.ts'

const largeFile = (
  id: string,
  name: string,
  bytes: number,
  about: Pick<Case, 'rule' | 'severity' | 'dependsOn'>,
): Case => ({
  id,
  name,
  ...about,
  run: async (bench) => {
    const large = Buffer.concat([picture(bench.run.fresh()), Buffer.alloc(bytes, 0x5a)])
    const delivered = await bench.save({ files: { 'large.png': large } })
    return verdict('rc 1 and the file', await whyNotAllServed(bench, delivered))
  },
})

/** Every file gets a public URL that serves it, immediately and later. */
export const media: readonly Case[] = [
  {
    id: 'client-urls-set',
    name: 'Every asset of the answer has a clientUrl that is neither empty nor temporary',
    rule: dummyRule,
    severity: 'breaks the contract',
    dependsOn: 'answer-own',
    run: async (bench) => {
      const delivered = await bench.save({
        files: { 'one.png': picture('1'), 'two.png': picture(bench.run.fresh()) },
      })
      const empty = [...delivered.files.keys()].find((name) => /^(dummy-|$)/.test(urlOf(delivered.answer, name) ?? ''))
      const why =
        whyNotAccepted(delivered.answer) ??
        (empty === undefined ? null : `${empty}: "${urlOf(delivered.answer, empty) ?? 'none'}"`)
      return verdict('a clientUrl for each file', why)
    },
  },
  plainSave(
    'client-urls-public',
    'Every clientUrl is an absolute http or https URL',
    contract('Editor state', 'clientUrl: the public URL of the file on the site'),
    (delivered) => verdict('an http or https URL for each file', whyUrlsNotPublic(delivered)),
    { dependsOn: 'client-urls-set' },
  ),
  plainSave(
    'state-kept',
    'The returned state is the one that was saved, with only the clientUrls changed',
    contract('Site callback endpoint', 'returns the updated vms_json in data.vms_json'),
    (delivered) => verdict('the state that was sent', whyStateNotKept(delivered)),
    { dependsOn: 'answer-own', runsFirst: true },
  ),
  {
    id: 'media-served',
    name: 'Every returned URL serves its file each time',
    rule: contract('Site callback endpoint', 'stores each vms_media/* file in public storage and obtains a public URL'),
    severity: 'breaks the contract',
    dependsOn: 'client-urls-public',
    run: async (bench) => {
      const delivered = await bench.save()
      const first = await whyNotAllServed(bench, delivered)
      const second = first === null ? await whyNotAllServed(bench, delivered) : null
      const onlyOnce = typeof second === 'string' ? `fetched a second time, ${second}` : second
      return verdict('the file, or its picture encoded again', first ?? onlyOnce)
    },
  },
  {
    id: 'media-many',
    name: 'Thirty files are stored, each under its own URL',
    rule: contract('Site callback endpoint', 'stores each vms_media/* file'),
    severity: 'breaks the contract',
    dependsOn: 'media-served',
    run: async (bench) => {
      const files = Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [`many-${at}.png`, picture(`${at} ${bench.run.fresh()}`)]),
      )
      return saved(bench, await bench.save({ files }))
    },
  },
  {
    id: 'media-same-bytes',
    name: 'Two names for the same bytes both get a URL',
    rule: contract('Editor state', 'assets is an object keyed by media file name'),
    severity: 'breaks the contract',
    dependsOn: 'media-served',
    run: async (bench) => {
      const same = picture(bench.run.fresh())
      return saved(bench, await bench.save({ files: { 'left.png': same, 'right.png': same } }))
    },
  },
  {
    id: 'no-media',
    name: 'A page without media is saved',
    rule: contract('Media ZIP contents', 'vms_media/*: media files of the publication'),
    severity: 'breaks the contract',
    dependsOn: ['media-served', 'state-empty-object'],
    run: async (bench) => saved(bench, await bench.save({ files: {} })),
  },
  {
    id: 'media-changed',
    name: 'A file that keeps its name and changes its content is served with the new content',
    rule: contract('Site callback endpoint', 'stores each vms_media/* file in public storage and obtains a public URL'),
    severity: 'breaks the contract',
    dependsOn: 'media-served',
    run: async (bench) => {
      const save = () => bench.save({ files: { 'changed.png': picture(bench.run.fresh()) } })
      const first = await save()
      const second = await save()
      const why = whyNotAccepted(first.answer) ?? (await whyNotAllServed(bench, second))
      return verdict('the bytes of the second save', why)
    },
  },
  {
    id: 'materials-apart',
    name: 'A file of the same name in another material replaces nothing',
    rule: contract('Editor state', 'clientUrl: the public URL of the file'),
    severity: 'breaks the contract',
    dependsOn: 'media-served',
    run: async (bench) => {
      const other = otherMaterial(bench)
      const save = (material: string) => bench.save({ material, files: { 'shared.png': picture(bench.run.fresh()) } })
      const first = await save(bench.material)
      const { answer } = await save(other.id)
      const refused = whyNotAccepted(first.answer) ?? (other.isKnown ? whyNotAccepted(answer) : null)
      const alone = isAccepted(answer) ? null : { unchecked: 'needs a second --material', isOptional: true }
      const why = refused ?? alone ?? (await whyNotAllServed(bench, first))
      return verdict('the bytes of the first material', why)
    },
  },
  {
    id: 'materials-lend-nothing',
    name: 'An asset whose file only another material has is not accepted with that file',
    rule: contract('Editor state', 'clientUrl: the public URL of the file'),
    severity: 'breaks the contract',
    dependsOn: 'materials-apart',
    run: async (bench) => {
      const other = otherMaterial(bench)
      const name = `lent-${bench.run.fresh()}.png`
      const owner = await bench.save({ files: { [name]: picture(name) } })
      const state = JSON.stringify({ assets: { [name]: { clientUrl: `dummy-${name}` } } })
      const { answer } = await bench.save({ material: other.id, files: {}, state })
      const url = urlOf(answer, name)
      const refused =
        isAccepted(answer) || other.isKnown ? null : { unchecked: 'needs a second --material', isOptional: true }
      const lent =
        url !== undefined && url === urlOf(owner.answer, name) ? `the file of ${bench.material}: "${url}"` : null
      return verdict('refused, or not the file of the other material', whyNotAccepted(owner.answer) ?? refused ?? lent)
    },
  },
  {
    id: 'earlier-media-kept',
    name: 'A later save does not change what earlier URLs serve',
    rule: advice('the editor offers rollback to earlier versions for two weeks'),
    severity: 'unwise',
    dependsOn: 'media-served',
    run: async (bench) => {
      const again = () => bench.save({ files: { 'again.png': picture(bench.run.fresh()) } })
      const first = await again()
      await again()
      return verdict('the bytes of the first save', await whyNotAllServed(bench, first))
    },
  },
  {
    id: 'refusal-keeps-earlier',
    name: 'A refused save leaves the earlier one in place',
    rule: contract('Site callback endpoint', 'after a refusal no files are written'),
    severity: 'unsafe',
    dependsOn: 'media-served',
    run: async (bench) => {
      const first = await bench.save()
      await bench.save({ archive: (sound) => sound.subarray(0, sound.length - 40) })
      return verdict('the bytes of the first save', await whyNotAllServed(bench, first))
    },
  },
  {
    id: 'media-behind-authorization',
    name: 'Media are served to the service, which sends the Authorization header with its GET',
    rule: contract(
      'Authentication 5',
      'the header is added to the GET of a clientUrl when missing assets are restored',
    ),
    severity: 'breaks the contract',
    dependsOn: 'media-served',
    needs: 'auth',
    run: async (bench) => verdict('the bytes of the file', await whyNotAllServed(bench, await bench.save())),
  },
  {
    id: 'media-without-authorization',
    name: 'Media are served without credentials, too',
    rule: advice('readers have no credentials'),
    severity: 'unwise',
    dependsOn: 'media-served',
    needs: 'auth',
    run: async ({ run, save }) => {
      const { answer, files } = await save()
      const url = urlOf(answer, [...files.keys()][0] ?? '')
      const missing = whyNotAccepted(answer) ?? whyNotPublic(url)
      if (missing !== null || url === undefined) return verdict('HTTP 200', missing)
      const fetched = await run.fetchPublic(url, {})
      if (fetched.kind === 'unreachable') return verdict('HTTP 200', whyNotFetched(fetched, url))
      return verdict('HTTP 200', fetched.status === 200 ? null : `HTTP ${fetched.status}`)
    },
  },
  largeFile('media-medium', 'A file of 2 MB is stored', 2_000_000, {
    rule: contract('Site callback endpoint', 'stores each vms_media/* file'),
    severity: 'breaks the contract',
    dependsOn: 'media-changed',
  }),
  largeFile('media-large', 'A file of 8 MB is stored', 8_000_000, {
    rule: contract('Limits', 'maximum content size of a client: 200 MiB'),
    severity: 'unwise',
    dependsOn: 'media-medium',
  }),
]
