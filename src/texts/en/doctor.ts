/** Texts of the signature doctor. */
export const doctor = {
  title: 'Signature doctor',
  intro: 'Paste the values as they were signed and sent. They are checked here and not stored.',
  materialId: 'Material ID',
  contentUrl: 'Content URL',
  signature: 'Signature',
  check: 'Check',
  failed: 'The signature could not be checked. Nothing was changed; try again.',
  wouldPass: 'This signature would be accepted.',
  wouldNotPass: 'This signature would be rejected.',
  tested: 'Checked against the current secrets of all sites in this library. No secret leaves the keychain.',
  found: 'Findings',
  findings: {
    matches: 'It matches this site’s secret.',
    no_signature: 'There is no signature. Check that your proxy forwards the signature header.',
    other_header:
      'The signature is right, but it is in the header {{header}}, which this site doesn’t read. Use that header for the site.',
    not_a_signature:
      'Not a valid signature: expected 64 hexadecimal digits, got {{length, number}} characters. Copy the whole header value.',
    blanks: 'There are spaces around it. Galley ignores them; other receivers might not.',
    upper_case:
      'It is in upper case, but the contract requires lower case. Check the program that computes or forwards it.',
    several: 'The header was sent twice. Check your proxy or plugin for one that adds a second copy.',
    other_site_secret:
      'It was signed with the secret of the site {{site}}. Send it to that site’s callback URL, or correct the secret of one of the two sites.',
    changed_url:
      'It was signed with a different form of the content URL ({{how}}). Something between the service and Galley rewrites the URL.',
    changed_material:
      'It was signed with a different form of the material ID ({{how}}). Something between the service and Galley rewrites the ID.',
    open_signature:
      'It is the signature for opening a session, which covers the callback URL. Callbacks must sign the content URL.',
    wrong_secret:
      'It doesn’t match any secret in this library, even allowing for common URL rewrites. Compare the site’s secret with the one in the service.',
    secret_unavailable: 'The secret of the site {{site}} can’t be read. Check the keychain, then check again.',
    not_kept: 'Not enough of this callback was stored to check it. Paste its values into the signature doctor instead.',
  },
  urlChanges: {
    trailing_slash: 'the trailing slash differs',
    scheme: 'http and https are swapped',
    query: 'the query is missing',
    fragment: 'the part after # is missing',
    decoded: 'percent-encoding is decoded',
    encoded: 'characters are percent-encoded',
    case: 'upper and lower case differ',
    port: 'the port is added or missing',
    blanks: 'there are spaces around it',
    download_query: 'the download query is added',
  },
  idChanges: {
    blanks: 'there are spaces around it',
    case: 'upper and lower case differ',
    empty: 'it is empty',
  },
} as const
