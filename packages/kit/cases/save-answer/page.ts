import { picture } from '../../archives/sample-files.ts'
import type { Bench } from '../../drive/bench.ts'
import { urlOf, whyNotFetched } from '../../judge/save-answer.ts'
import type { Finding } from '../../judge/verdict.ts'
import { verdict } from '../../judge/verdict.ts'
import { whyNotAccepted } from '../../protocol/answer.ts'
import type { Case } from '../../suite/case.ts'
import { contract } from '../../suite/case.ts'

/**
 * Why the page of this save still contains a temporary name, or null. A page without the save's content is not judged.
 */
async function whyDummiesLeft({ run, material, save }: Bench, template: string): Promise<Finding> {
  const word = run.fresh()
  const names = [`page-${word}.png`, `back-${word}.png`, `page-${word}.png.jpg`] as const
  const html =
    `<p>Conformance ${word}</p><img src="dummy-${names[0]}" srcset="dummy-${names[0]} 2x" alt="">` +
    `<div style="background-image:url('dummy-${names[1]}')"></div><img src="dummy-${names[2]}" alt="">`
  const { answer } = await save({ html, files: Object.fromEntries(names.map((name) => [name, picture(name)])) })
  const refused = whyNotAccepted(answer)
  if (refused !== null) return refused
  const url = template.replaceAll('{material}', encodeURIComponent(material))
  const fetched = await run.fetchPublic(url, {})
  if (fetched.kind === 'unreachable') return whyNotFetched(fetched, url)
  if (fetched.status !== 200) return { unchecked: `the page answers HTTP ${fetched.status}` }
  const text = fetched.bytes.toString('utf8')
  if (!text.includes(`Conformance ${word}`))
    return { unchecked: 'the page does not show the save: publish saves immediately' }
  const left = names.find((name) => text.includes(`dummy-${name}`))
  if (left !== undefined) return `dummy-${left} was left in the page`
  // Where the shorter of two names is replaced first, the longer one becomes its URL and the rest.
  const broken = `${urlOf(answer, names[0]) ?? ''}.jpg`
  const isBroken = broken !== urlOf(answer, names[2]) && broken !== '.jpg' && text.includes(broken)
  return isBroken ? `the page refers to "${broken}", which is the URL of ${names[0]} and the end of another name` : null
}

/** Checks the backend's own page, which no answer contains. Needs the address of that page. */
export const page: readonly Case[] = [
  {
    id: 'page-without-dummies',
    name: 'The public page has the public URLs in place of the temporary names',
    rule: contract(
      'Site callback endpoint',
      'replaces the temporary dummy-<filename> references in vms_html with the public URLs',
    ),
    severity: 'breaks the contract',
    needs: 'page',
    run: async (bench) => {
      const { pageTemplate } = bench.run
      return verdict(
        'no dummy- reference in the page, and none that is half replaced',
        pageTemplate === null ? { unchecked: 'needs --page' } : await whyDummiesLeft(bench, pageTemplate),
      )
    },
  },
]
