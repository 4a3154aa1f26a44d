/** The parts of a package for those who look for known faults in them: a bill of materials in CycloneDX 1.6. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Bundled } from './notices.ts'
import { manifest } from './stage.ts'

const licencesOf = (licence: string) => [/[ (]/.test(licence) ? { expression: licence } : { license: { id: licence } }]

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** Electron, and the parts that its own list of licences names, which has no versions. */
export function partsOfElectron(dist: string, version: string): readonly object[] {
  const page = readFileSync(join(dist, 'LICENSES.chromium.html'), 'utf8')
  const titles = [...page.matchAll(/<span class="title">([^<]+)</g)].map(([, title = '']) => title)
  if (titles.length === 0) throw new Error('LICENSES.chromium.html of Electron names no parts')
  const unescaped = titles.map((title) => title.replaceAll('&#39;', "'").replaceAll('&amp;', '&').trim())
  const purl = purlOf('electron', version)
  return [
    { type: 'framework', 'bom-ref': purl, name: 'electron', version, purl, licenses: licencesOf('MIT') },
    ...[...new Set(unescaped)].map((name) => ({ type: 'library', name, group: 'chromium' })),
  ]
}

/** The text of the bill. Equal parts make equal texts. */
export function sbomOf(
  { name, version, madeAt }: { readonly name: string; readonly version: string; readonly madeAt: number },
  bundled: readonly Bundled[],
  more: readonly object[] = [],
): string {
  const self = `${name}@${version}`
  const components = bundled.map((part) => {
    const purl = purlOf(part.name, part.version)
    const licenses = licencesOf(part.licence)
    return { type: 'library', 'bom-ref': purl, name: part.name, version: part.version, purl, licenses }
  })
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(madeAt * 1000).toISOString(),
      component: { type: 'application', 'bom-ref': self, name, version, licenses: licencesOf(manifest.license) },
    },
    components: [...components, ...more],
    dependencies: [{ ref: self, dependsOn: components.map((part) => part['bom-ref']) }],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}
