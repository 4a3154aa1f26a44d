import type { Bench, Delivered } from '../../drive/bench.ts'
import type { FontsParts } from '../../drive/prepare.ts'
import { accepted, acceptsAnything, refused } from '../../judge/common-verdicts.ts'
import type { Verdict } from '../../judge/verdict.ts'
import type { Case, Severity } from '../../suite/case.ts'
import { contract } from '../../suite/case.ts'

/** The rules that most font cases test. */
export const stores = contract(
  'Site callback endpoint',
  'For fonts: the site stores vms_fonts/*, vms_fonts.css and vms_fonts.json',
)
export const anyShape = contract(
  'site_fonts_updated callback payload',
  'fonts: font tree, its inner structure is not shown',
)

const fontsCase =
  (judge: (bench: Bench, delivered: Delivered) => Verdict | Promise<Verdict>) =>
  (
    id: string,
    name: string,
    parts: FontsParts,
    severity: Severity,
    rule: string,
    dependsOn = 'fonts-accepted',
  ): Case => ({
    id,
    name,
    rule,
    severity,
    dependsOn,
    run: async (bench) => judge(bench, await bench.fonts(parts)),
  })

/** A font set that must be accepted. */
export const set = fontsCase((_, delivered) => accepted(delivered))

/** A font set that must be refused. A backend that downloads no fonts accepts all of them. */
export const bad = fontsCase((bench, delivered) => refused(bench, delivered, [...acceptsAnything, 'fonts-download']))
