<?php
// A site backend of the hosted layout editor, for PHP 8.1 or later with curl and zip. Add your login and your storage.
// POST /callback takes saves and fonts, GET /open/MATERIAL opens the editor, GET /page/MATERIAL shows what was saved.
// To try it: PHP_CLI_SERVER_WORKERS=4 php -S 127.0.0.1:8080 backend.php
declare(strict_types=1);

ini_set('display_errors', '0');
ini_set('memory_limit', '1G');
define('API_KEY', getenv('API_KEY') ?: 'emulator-dev');
define('API_SECRET', getenv('API_SECRET') ?: 'emulator-secret');
define('BASE_URL', getenv('BASE_URL') ?: 'http://127.0.0.1:8788/integration');
define('PUBLIC_URL', getenv('PUBLIC_URL') ?: 'http://127.0.0.1:' . (getenv('PORT') ?: '8080'));
define('DATA', getenv('DATA') ?: __DIR__ . '/data');
const MAX_BYTES = 200 * 1024 * 1024;
const EVENTS = ['media' => 'article_saved', 'fonts' => 'site_fonts_updated'];
const TYPES = ['css' => 'text/css', 'gif' => 'image/gif', 'jpg' => 'image/jpeg', 'png' => 'image/png', 'svg' => 'image/svg+xml'];
const TEXT = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION | JSON_THROW_ON_ERROR;

/** An answer with rc 0. Its code is the HTTP status. */
final class Refusal extends Exception
{
}

function must(bool $isRight, string $message, int $status = 200): void
{
    $isRight || throw new Refusal($message, $status);
}

function sign(string $material, string $url): string
{
    return hash_hmac('sha256', "$material:$url", API_SECRET);
}

/** Names on the disk are hashes, never names from outside. */
function pathOf(string $kind, string $id): string
{
    return DATA . "/$kind-" . hash('sha256', $id);
}

function stored(string $kind, string $id): ?string
{
    return is_file(pathOf($kind, $id)) ? file_get_contents(pathOf($kind, $id)) : null;
}

/** The file is there as a whole or not at all. */
function store(string $kind, string $id, string $data): void
{
    $part = fopen($name = DATA . '/part-' . bin2hex(random_bytes(8)), 'xb');
    $isWritten = fwrite($part, $data) === strlen($data) && fsync($part) && fclose($part);
    ($isWritten && rename($name, pathOf($kind, $id))) || throw new RuntimeException('The disk does not take what is written');
}

/** The archive of a callback. A redirect is not followed: the request has a signature, which never expires. */
function download(string $material, string $contentUrl): string
{
    $query = http_build_query(['api_key' => API_KEY, 'material_id' => $material]);
    $end = time() + 120;
    for ($tries = 3; $tries > 0 && time() < $end; $tries--) {
        $request = curl_init($contentUrl . (str_contains($contentUrl, '?') ? '&' : '?') . $query);
        curl_setopt_array($request, [
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HTTPHEADER => ['X-Service-Signature: ' . sign($material, $contentUrl)],
            CURLOPT_TIMEOUT => $end - time(),
            CURLOPT_NOPROGRESS => false,
            CURLOPT_XFERINFOFUNCTION => fn ($_, int $all, int $arrived): int => (int) (max($all, $arrived) > MAX_BYTES),
        ]);
        $archive = curl_exec($request);
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        must(curl_errno($request) !== CURLE_ABORTED_BY_CALLBACK, 'The archive is too large');
        if (is_string($archive) && $status !== 429 && $status < 500) {
            must($status === 200, "The download was answered with $status", 502);
            return $archive;
        }
    }
    throw new Refusal('The download failed', 502);
}

/** The files of a ZIP archive by name. Refuses what is damaged or unsafe. */
function unzip(string $archive): array
{
    $end = strlen($archive) - 22;
    must(str_starts_with($archive, "PK\3\4") && substr($archive, $end, 4) === "PK\5\6", 'The archive is no ZIP file');
    must(array_sum(unpack('V2', $archive, $end + 12)) === $end, 'The archive is no ZIP file');
    file_put_contents($path = tempnam(sys_get_temp_dir(), 'archive'), $archive);
    $zip = new ZipArchive();
    $opened = $zip->open($path, ZipArchive::RDONLY | ZipArchive::CHECKCONS);
    unlink($path);
    must($opened === true, 'The archive is damaged');
    [$files, $packed, $unpacked] = [[], strlen($archive), MAX_BYTES];
    for ($at = 0; $at < $zip->numFiles; $at++) {
        $entry = $zip->statIndex($at, ZipArchive::FL_ENC_RAW);
        $name = $entry['name'];
        $isSafe = !preg_match('~[\x00-\x1f\\\\]|^/|^\w:|(^|/)\.\.?(/|$)~D', $name) && preg_match('//u', $name);
        must($isSafe && !isset($files[$name]), 'The archive has an unsafe name');
        must(($packed -= $entry['comp_size']) >= 0 && ($unpacked -= $entry['size']) >= 0, 'The archive is too large');
        $data = $zip->getFromIndex($at);
        $isWhole = is_string($data) && strlen($data) === $entry['size'] && crc32($data) === $entry['crc'];
        must($isWhole && $entry['encryption_method'] === ZipArchive::EM_NONE, 'A file of the archive is damaged');
        $files[$name] = $data;
    }
    return $files;
}

/** Makes the files of this folder public, and returns their URLs by name. */
function publish(array $files, string $folder): array
{
    $urls = [];
    foreach ($files as $entry => $data) {
        $name = substr((string) $entry, strlen($folder));
        if (!str_starts_with((string) $entry, $folder) || $name === '' || str_ends_with($name, '/')) {
            continue;
        }
        store('file', $data, $data);
        $urls[$name] = PUBLIC_URL . '/file/' . hash('sha256', $data) . '/' . rawurlencode($name);
    }
    return $urls;
}

/** The text with URLs in place of temporary names. Where one name begins with another, strtr takes the longer one. */
function withUrls(string $text, array $urls): string
{
    must(preg_match('//u', $text) === 1, 'A text of the archive is not UTF-8');
    $dummies = array_map(fn ($name): string => "dummy-$name", array_keys($urls));
    return strtr($text, array_combine($dummies, $urls));
}

function storePage(object $payload, array $files): string
{
    must(isset($files['vms_html.html'], $files['vms_json.json']), 'The archive has no page or no state');
    $urls = publish($files, 'vms_media/');
    $html = withUrls($files['vms_html.html'], $urls);
    $text = preg_replace('/^\xEF\xBB\xBF/', '', $files['vms_json.json']);
    must(is_object(json_decode($text, false, 512, JSON_THROW_ON_ERROR)), 'The state is not an object');
    // Numbers stay as they were written, also those that PHP cannot hold: they are marked texts until the end.
    $mark = bin2hex(random_bytes(16));
    $number = fn (array $found): string => $found[0][0] === '"' ? $found[0] : "\"$mark$found[0]\"";
    $marked = preg_replace_callback('/"(?:[^"\\\\]++|\\\\.)*+"|-?\d[\d.eE+-]*/', $number, $text);
    $state = json_decode($marked, false, 512, JSON_THROW_ON_ERROR);
    foreach ($state->assets ?? [] as $name => $asset) {
        must(is_object($asset), 'An asset is not an object');
        $asset->clientUrl = $urls[$name] ?? $asset->clientUrl ?? '';
        must(preg_match('/^https?:/', (string) $asset->clientUrl) === 1, 'The archive lacks the file of an asset');
    }
    $text = preg_replace("/\"$mark([^\"]*)\"/", '$1', json_encode($state, TEXT));
    // A save that arrives late does not replace a later one.
    $savedAt = strtotime((string) ($payload->metadata->version_cdate ?? '')) ?: time();
    $before = json_decode(stored('page', $payload->material_id) ?? '{"savedAt":0}');
    if ($savedAt >= $before->savedAt) {
        store('page', $payload->material_id, json_encode(['savedAt' => $savedAt, 'html' => $html, 'state' => $text], TEXT));
    }
    return '{"rc":1,"rm":"Saved successfully","data":{"vms_json":' . $text . '}}';
}

function storeFonts(object $payload, array $files): string
{
    must(isset($files['vms_fonts.css']), 'The archive has no vms_fonts.css');
    $urls = publish($files, 'vms_fonts/');
    $urls += publish(['vms_fonts.css' => withUrls($files['vms_fonts.css'], $urls)], '');
    store('fonts', 'current', json_encode(['sheet' => $urls['vms_fonts.css']], TEXT));
    $fill = function (mixed $each) use (&$fill, $urls): void {
        if (is_object($each) && is_string($each->id ?? null) && isset($urls[$each->id])) {
            $each->clientUrl = $urls[$each->id];
        }
        foreach (is_object($each) || is_array($each) ? $each : [] as $part) {
            $fill($part);
        }
    };
    $fill($payload->fonts ?? null);
    $data = is_object($payload->fonts ?? null) ? ['fonts' => $payload->fonts] : new stdClass();
    return json_encode(['rc' => 1, 'rm' => 'Fonts saved successfully', 'data' => $data], TEXT);
}

/** The answer to a callback, which is verified first. The same delivery gets the same answer and is stored once. */
function answerTo(string $body): string
{
    $isFromPage = isset($_SERVER['HTTP_ORIGIN']) || isset($_SERVER['HTTP_SEC_FETCH_SITE']);
    must(!$isFromPage, 'Web pages cannot send callbacks', 403);
    must(strlen($body) <= 4 * 1024 * 1024, 'The body is too large', 413);
    $payload = json_decode($body);
    [$material, $contentUrl] = [$payload->material_id ?? null, $payload->content_url ?? null];
    must(is_string($material) && is_string($contentUrl), 'material_id or content_url is missing', 400);
    $given = trim($_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '');
    must(hash_equals(sign($material, $contentUrl), $given), 'The signature is wrong', 400);
    // The signature covers neither the event nor the place of its colon: only addresses of the service are asked.
    $path = str_starts_with($contentUrl, BASE_URL) ? substr($contentUrl, strlen(BASE_URL)) : '';
    $isOurs = preg_match('~^/download/(media|fonts)/[\w-]+/[\w.-]+(\?[^#\s]*)?$~D', $path, $found);
    must($isOurs === 1, 'content_url is not an address of the service', 400);
    must(($payload->event ?? EVENTS[$found[1]]) === EVENTS[$found[1]], 'The event is unknown', 400);
    $id = "$material:$contentUrl";
    $lock = fopen(pathOf('lock', $id), 'c');
    flock($lock, LOCK_EX);
    $answer = stored('answer', $id);
    if ($answer === null) {
        $files = unzip(download($material, $contentUrl));
        try {
            $answer = $found[1] === 'media' ? storePage($payload, $files) : storeFonts($payload, $files);
        } catch (JsonException) {
            throw new Refusal('The archive is damaged');
        }
        store('answer', $id, $answer);
    }
    return $answer;
}

/** Opens a session with the state that was saved last. Returns the URL of the editor. */
function openEditor(string $material): string
{
    $callbackUrl = PUBLIC_URL . '/callback';
    $body = json_encode(['api_key' => API_KEY, 'callback_url' => $callbackUrl, 'material_id' => $material], TEXT);
    $page = json_decode(stored('page', $material) ?? 'null');
    $body = $page === null ? $body : substr($body, 0, -1) . ',"vms_json":' . $page->state . '}';
    $request = curl_init(BASE_URL . '/session/open');
    $headers = ['Content-Type: application/json', 'X-Service-Signature: ' . sign($material, $callbackUrl)];
    curl_setopt_array($request, [CURLOPT_POSTFIELDS => $body, CURLOPT_HTTPHEADER => $headers]);
    curl_setopt_array($request, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 60]);
    $answer = curl_exec($request);
    must(curl_getinfo($request, CURLINFO_RESPONSE_CODE) === 200, 'The service refused to open a session', 502);
    return json_decode($answer)->url;
}

is_dir(DATA) || @mkdir(DATA, 0700, true);
header('X-Content-Type-Options: nosniff');
$parts = array_map('rawurldecode', explode('/', explode('?', $_SERVER['REQUEST_URI'])[0]));
[, $route, $id, $name] = $parts + ['', '', '', ''];
try {
    if ($_SERVER['REQUEST_METHOD'] === 'POST' && $route === 'callback') {
        $answer = answerTo(file_get_contents('php://input'));
        header('Content-Type: application/json');
        echo $answer;
        return;
    }
    must($_SERVER['REQUEST_METHOD'] === 'GET', 'Use GET', 405);
    if ($route === 'open') {
        header('Location: ' . openEditor($id), true, 303);
    } elseif ($route === 'page' && stored('page', $id) !== null) {
        echo json_decode(stored('page', $id))->html;
    } else {
        must($route === 'file' && preg_match('/^[0-9a-f]{64}$/D', $id) && is_file(DATA . "/file-$id"), 'Nothing is here', 404);
        // What an editor has uploaded runs no script on this site. The hosted editor may load it.
        header('Content-Security-Policy: sandbox');
        header('Access-Control-Allow-Origin: *');
        header('Content-Type: ' . (TYPES[strtolower(pathinfo($name, PATHINFO_EXTENSION))] ?? 'application/octet-stream'));
        readfile(DATA . "/file-$id");
    }
} catch (Throwable $error) {
    $isKnown = $error instanceof Refusal;
    $isKnown || error_log((string) $error);
    http_response_code($isKnown ? $error->getCode() : 500);
    header('Content-Type: application/json');
    echo json_encode(['rc' => 0, 'rm' => $isKnown ? $error->getMessage() : 'The site has a problem'], TEXT);
}
