// A page of headless Chromium before a page of PHP: what the scripts of phpMyAdmin and Adminer share.
const fs = require('fs'), path = require('path'), net = require('net'), { spawn } = require('child_process');
const puppeteer = require('puppeteer-core');

const env = process.env;

async function freePort() {
  return new Promise((done, fail) => {
    const s = net.createServer().on('error', fail);
    s.listen(0, '127.0.0.1', () => { const { port } = s.address(); s.close(() => done(port)); });
  });
}

// serve has PHP answer for a folder; it is ended with this program.
async function serve(root) {
  const port = await freePort();
  const php = spawn('php', ['-d', 'memory_limit=512M', '-d', `session.save_path=${env.WORK}`, '-S', `127.0.0.1:${port}`,
    '-t', root], { env: { ...env, PHP_CLI_SERVER_WORKERS: '3' }, stdio: 'ignore', detached: true });
  process.on('exit', () => { try { process.kill(-php.pid); } catch { /* it is gone */ } });
  for (let i = 0; i < 200; i++) {
    try { await fetch(`http://127.0.0.1:${port}/favicon.ico`); return `http://127.0.0.1:${port}`; } catch { await pause(50); }
  }
  throw new Error('PHP does not answer');
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

class Page {
  static async open() {
    const p = new Page();
    p.browser = await puppeteer.launch({ executablePath: env.CHROMIUM, headless: true, protocolTimeout: 120000,
      args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb', '--lang=en'] });
    p.page = await p.browser.newPage();
    p.page.setDefaultTimeout(90000);
    await p.page.setViewport({ width: 1400, height: 1000 });
    p.faults = [];
    p.page.on('pageerror', (e) => p.faults.push(`script: ${e.message}`));
    p.page.on('response', (r) => { if (r.status() >= 500) p.faults.push(`${r.status()} ${r.url()}`); });
    p.page.on('dialog', (d) => d.accept());
    p.downloads = path.join(env.WORK, 'downloads');
    const cdp = await p.browser.target().createCDPSession();
    await cdp.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: p.downloads });
    return p;
  }

  // go opens an address and waits until nothing is fetched any more.
  async go(url) { await this.page.goto(url, { waitUntil: 'networkidle0' }); }

  // act does what sends a form or follows a link, and waits for the page behind it.
  async act(what) {
    await Promise.all([this.page.waitForNavigation({ waitUntil: 'networkidle0' }), what()]);
  }

  async quiet() { await this.page.waitForNetworkIdle({ idleTime: 1000 }); }

  async click(selector) { await this.page.waitForSelector(selector); await this.page.$eval(selector, (e) => e.click()); }

  // fill sets a field's value, as if it had been typed over what was there.
  async fill(selector, text) {
    await this.page.waitForSelector(selector);
    await this.page.$eval(selector, (e, value) => {
      e.value = value;
      for (const name of ['input', 'change']) e.dispatchEvent(new Event(name, { bubbles: true }));
    }, text);
  }

  // texts are the texts of all elements that the selector names, their spaces as one.
  async texts(selector) {
    return this.page.$$eval(selector, (all) => all.map((e) => e.innerText.replace(/\s+/g, ' ').trim()));
  }

  async shot(name) {
    if (env.SCREENSHOTS) await this.page.screenshot({ path: path.join(env.SCREENSHOTS, `${name}.png`) });
  }

  // downloaded is the text of the file that comes next.
  async downloaded() {
    for (let i = 0; i < 600; i++) {
      const files = fs.existsSync(this.downloads) ? fs.readdirSync(this.downloads).filter((f) => !f.endsWith('.crdownload')) : [];
      if (files.length > 0) {
        await pause(200);
        const file = path.join(this.downloads, files[0]), text = fs.readFileSync(file, 'utf8');
        fs.unlinkSync(file);
        return text;
      }
      await pause(100);
    }
    throw new Error('nothing was downloaded');
  }
}

// run runs a script, and tells what the browser found wrong.
function run(script) {
  (async () => {
    const page = await Page.open();
    try {
      await script(page);
    } catch (e) {
      await page.shot('failed');
      console.error(e, '\n', (await page.page.$eval('body', (b) => b.innerText)).slice(0, 4000));
      process.exitCode = 1;
    }
    for (const f of page.faults) { console.log('fault:', f); process.exitCode = 1; }
    await page.browser.close();
    process.exit();
  })();
}

module.exports = { env, serve, run, pause };
