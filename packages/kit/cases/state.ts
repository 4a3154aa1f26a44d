import { picture } from '../archives/sample-files.ts'
import type { ComparisonMode } from '../judge/difference.ts'
import { whyNotComplete, whyStateNotKept } from '../judge/save-answer.ts'
import { verdict } from '../judge/verdict.ts'
import type { Case, Severity, Theme } from '../suite/case.ts'
import { advice, contract } from '../suite/case.ts'

const returned = contract('Site callback endpoint', 'returns the updated vms_json: the clientUrls change, nothing else')

/** A state containing one JSON fragment, which must be returned unchanged. */
const keeps = (
  id: string,
  name: string,
  fragment: string,
  {
    by = 'value',
    severity = 'breaks the contract',
    rule = returned,
    dependsOn = 'state-kept',
  }: { by?: ComparisonMode['by']; severity?: Severity; rule?: string; dependsOn?: string } = {},
): Case => ({
  id,
  name,
  rule,
  severity,
  dependsOn,
  run: async (bench) => {
    const state = `{"probe":${fragment},"assets":{"hero.png":{"clientUrl":"dummy-hero.png"}}}`
    const delivered = await bench.save({ state, files: { 'hero.png': picture(bench.run.fresh()) } })
    return verdict('the state that was sent', whyStateNotKept(delivered, by))
  },
})

const byText = { by: 'text', severity: 'unwise', dependsOn: 'state-as-written' } as const

export const state: Theme = {
  title: 'Editor state, lossless',
  dependsOn: 'state-kept',
  cases: [
    keeps('state-empty-object', 'Empty objects stay objects', '{"a":{},"b":[{}]}'),
    keeps('state-empty-list', 'Empty lists stay lists', '{"a":[],"b":[[]]}'),
    keeps('state-literals', 'null, true and false stay', '[null,true,false,{"a":null}]'),
    keeps('state-nested', 'Nested objects and lists stay', '{"a":[{"b":[{"c":{"d":[1,[2,[3]]]}}]}]}'),
    keeps('state-unicode', 'Text in any script stays', '"Zürich Привет 東京 שלום 🖼️👩‍👩‍👧 e\u0301"'),
    keeps(
      'state-escapes',
      'Escaped characters stay',
      String.raw`"quote \" backslash \\ slash \/ tab \t line \n \u0431 \ud83d\ude00"`,
    ),
    keeps('state-separators', 'Line separators and a NUL stay', String.raw`"a\u2028b\u2029c\u0000d"`, {
      severity: 'unwise',
    }),
    keeps('state-half-surrogate', 'A lone surrogate stays', String.raw`"a\ud800b"`, { severity: 'unwise' }),
    keeps(
      'state-markup',
      'Markup in texts stays',
      String.raw`"<p class=\"a\">1 &lt; 2 &amp; 3</p><script>let a = '</'</script>"`,
    ),
    keeps('state-numbers', 'Integers and fractions keep their value', '[0,-1,0.1,3.14,1e21,9007199254740991]'),
    keeps(
      'state-as-written',
      'Members keep their order, and numbers their form',
      '{"b":1.0,"a":12345678901234567890,"10":0.12345678901234567891,"2":1e3}',
      { ...byText, dependsOn: 'state-kept' },
    ),
    keeps('state-big-integer', 'An integer of twenty digits keeps all of them', '[12345678901234567890]', byText),
    keeps('state-precision', 'A fraction of twenty digits keeps all of them', '[0.12345678901234567891]', byText),
    keeps('state-number-form', '1.0, 1e3 and -0 stay as they were written', '[1.0,1e3,-0,100e-2]', byText),
    keeps('state-order', 'Members stay in their order', '{"b":1,"a":2,"c":3}', byText),
    keeps('state-digit-keys', 'Keys of digits stay in their order', '{"10":1,"2":2,"1":3}', byText),
    keeps('state-empty-key', 'An empty key stays', '{"":1}'),
    keeps('state-proto-key', 'A key named __proto__ stays a key', '{"__proto__":{"polluted":true},"constructor":1}', {
      severity: 'unwise',
      rule: advice('copying such a key by assignment changes every object of a JavaScript backend'),
    }),
    keeps('state-long-text', 'A text of 200,000 characters stays', `"${'lorem ipsum '.repeat(17_000)}"`),
    keeps(
      'state-many-members',
      'Two thousand members stay',
      `{${Array.from({ length: 2_000 }, (_, at) => `"k${at}":${at}`).join(',')}}`,
    ),
    keeps('state-deep', 'Sixty levels of nesting stay', `${'['.repeat(60)}1${']'.repeat(60)}`),
    keeps('state-prose', 'Text that merely mentions a temporary name stays', '"How dummy-hero.png got its name"', {
      severity: 'unwise',
      rule: contract('Site callback endpoint', 'writes the public URL into vms_json.assets[<filename>].clientUrl'),
    }),
    {
      id: 'state-asset-members',
      name: 'Other members of an asset stay',
      rule: returned,
      severity: 'breaks the contract',
      run: async (bench) => {
        const asset = '{"width":1200,"clientUrl":"dummy-hero.png","crop":{"x":0.5,"y":[]},"alt":"Höhe"}'
        const delivered = await bench.save({
          state: `{"assets":{"hero.png":${asset}},"after":1}`,
          files: { 'hero.png': picture('x') },
        })
        return verdict('the state that was sent', whyStateNotKept(delivered))
      },
    },
    {
      id: 'state-escaped-name',
      name: 'A file name that is escaped in the state is the same name',
      rule: contract('Editor state', 'assets is an object keyed by media file name'),
      severity: 'breaks the contract',
      dependsOn: 'client-urls-public',
      run: async (bench) => {
        const state = String.raw`{"assets":{"\u0431\u002epng":{"clientUrl":"dummy-\u0431.png"}}}`
        const delivered = await bench.save({ state, files: { 'б.png': picture(bench.run.fresh()) } })
        return verdict('rc 1 with a public URL', whyNotComplete(bench, delivered))
      },
    },
  ],
}
