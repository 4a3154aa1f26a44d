import { picture } from '../archives/sample-files.ts'
import { saved, wholeOrRefused } from '../judge/common-verdicts.ts'
import type { Case, Theme } from '../suite/case.ts'
import { contract, listener } from '../suite/case.ts'

/** The contract shows no folders below `vms_media/`. */
const inFolders = listener('names may hold /: vms_media/a/x.png is file a/x.png')

/** A save with files of these names. Each file has unique bytes, so mixed-up files are detected. */
const names = (
  id: string,
  name: string,
  files: readonly string[],
  mayRefuse = true,
  rule = contract('Editor state', 'the reference is dummy-<filename>, and assets is keyed by media file name'),
): Case => ({
  id,
  name,
  rule,
  severity: rule.startsWith('contract') ? 'breaks the contract' : 'unwise',
  run: async (bench) => {
    const word = bench.run.fresh()
    const content = Object.fromEntries(files.map((file, at) => [file, picture(`${word} ${at}`)]))
    const delivered = await bench.save({ files: content })
    return mayRefuse ? wholeOrRefused(bench, delivered) : saved(bench, delivered)
  },
})

export const fileNames: Theme = {
  title: 'File names',
  // These cases share names, and lanes with other materials run them at the same time.
  dependsOn: ['media-changed', 'materials-apart'],
  cases: [
    names('name-plain', 'Letters, digits, hyphens and underscores', ['Photo_01-final.png'], false),
    names('name-blank', 'A name with a space', ['summer 2026.png'], false),
    names('name-cyrillic', 'A name in Cyrillic', ['Привет-мир.png'], false),
    names('name-cjk', 'A name in Japanese', ['東京の写真.png'], false),
    names('name-brackets', 'A name with brackets, as copies get', ['hero (1) [2].png'], false),
    names('name-prefix', 'One name begins with another: a.png, a.png.jpg', ['a.png', 'a.png.jpg'], false),
    names('name-suffix', 'One name ends with another: a.png, aa.png, x-a.png', ['a.png', 'aa.png', 'x-a.png'], false),
    names('name-dummy', 'A name that begins with dummy- itself', ['dummy-a.png', 'a.png']),
    names(
      'name-many-digits',
      'image-1 and image-10 are two files',
      ['image-1.png', 'image-10.png', 'image-100.png'],
      false,
    ),
    names('name-two-dots', 'Two dots within a name do not leave the folder', ['wow..png']),
    names('name-hash', 'A hash and a question mark', ['take #1?.png']),
    names('name-percent', 'A percent sign, and what looks encoded', ['100%.png', 'a%20b.png']),
    names('name-quotes', 'Quotes of both kinds', [`it's "fine".png`]),
    names('name-ampersand', 'An ampersand, and what looks like an entity', ['you & me.png', 'a&amp;b.png']),
    names('name-markup', 'What looks like markup', ['<b>bold<.png']),
    names('name-dollar', 'What replacement patterns mean: $&, $1, backquotes', ['$&.png', '$1`.png']),
    names('name-plus', 'A plus sign is not a space', ['a+b.png', 'a b.png']),
    names('name-emoji', 'An emoji', ['🖼️.png']),
    names('name-composed', 'The same letter composed and decomposed', ['\u00e9.png', 'e\u0301.png']),
    names('name-case', 'Names that differ by case alone', ['Case.png', 'case.png']),
    names('name-folder', 'The same name in two folders', ['left/x.png', 'right/x.png'], true, inFolders),
    names('name-long', 'A name of 200 letters', [`${'long'.repeat(50)}.png`]),
    names('name-reserved', 'A name that some systems reserve', ['CON.png', 'aux']),
    names('name-hidden', 'A name that begins with a dot', ['.hidden.png']),
    names('name-no-ending', 'A name without an extension', ['picture']),
    names('name-video', 'Extensions that are often missing from lists of image types', [
      'clip.mov',
      'photo.heic',
      'track.vtt',
    ]),
    names('name-of-object', 'Names of built-in object properties', ['constructor', 'toString']),
  ],
}
