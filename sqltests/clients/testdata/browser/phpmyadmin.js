// Debian's phpMyAdmin on the samples of demo: log in, browse, filter, sort, edit, insert, delete, EXPLAIN, export.
const fs = require('fs'), path = require('path');
const { env, serve, run } = require('./page');

// installed copies what Debian installs, so that the settings are ours.
function installed() {
  const from = '/usr/share/phpmyadmin', to = path.join(env.WORK, 'phpmyadmin'), temporary = path.join(env.WORK, 'tmp');
  fs.mkdirSync(temporary);
  for (const name of ['js', 'libraries', 'templates', 'themes', 'sql', 'autoload.php', 'index.php', 'url.php', 'favicon.ico'])
    fs.cpSync(path.join(from, name), path.join(to, name), { recursive: true, dereference: true });
  const config = path.join(to, 'config.inc.php'), vendor = path.join(to, 'libraries', 'vendor_config.php');
  fs.writeFileSync(config, `<?php
    $cfg['blowfish_secret'] = '0123456789abcdef0123456789abcdef';
    $cfg['Servers'][1] = ['auth_type' => 'cookie', 'host' => '${env.HOST}', 'port' => '${env.PORT}'];
    $cfg['TempDir'] = '${temporary}';
    $cfg['SendErrorReports'] = 'never';
    $cfg['VersionCheck'] = false;
    $cfg['PmaNoRelation_DisableWarning'] = true;
  `);
  fs.writeFileSync(vendor, fs.readFileSync(vendor, 'utf8').replace('/etc/phpmyadmin/config.inc.php', config)
    .replace('/var/lib/phpmyadmin/tmp/', temporary + '/'));
  return to;
}

run(async (p) => {
  const place = `${await serve(installed())}/index.php`;
  const at = (route, rest = '') => p.go(`${place}?route=${route}&db=${env.DATABASE}${rest}`);
  await p.go(place);
  await p.fill('#input_username', env.USERNAME);
  await p.fill('#input_password', env.PASSWORD);
  await p.act(() => p.click('#input_go'));
  await p.shot('phpmyadmin-1-login');
  console.log('server:', (await p.texts('#page_content .card li')).filter((t) => /^(Server|User|Protocol)/.test(t)));
  await at('/database/structure');
  await p.shot('phpmyadmin-2-tables');
  console.log('tables:', await p.texts('#tablesForm table tr'));

  await at('/table/structure', '&table=orders');
  await p.shot('phpmyadmin-3-structure');
  console.log('columns:', await p.texts('#tablestructure tbody tr'));
  console.log('warnings:', await p.texts('.alert-warning, .alert-danger'));

  const cells = (row) => p.page.$$eval('.table_results tbody tr', (all, n) => [...all[n].querySelectorAll('td.data')]
    .map((e) => e.innerText.replace(/\s+/g, ' ').trim()), row);
  const rows = async (n) => { const out = []; for (let i = 0; i < n; i++) out.push((await cells(i)).join(' | ')); return out; };
  const told = async (what) => console.log(`${what}:`, (await p.texts('#page_content .alert'))
    .map((t) => t.replace(/Query took [0-9.]+/, 'Query took …')));
  await at('/sql', '&table=orders&pos=0');
  await p.shot('phpmyadmin-4-browse');
  await told('browse');
  console.log(await rows(2));

  await at('/table/search', '&table=orders');
  const names = await p.page.$$eval('#tbl_search_form table tbody tr', (all) => all.map((e) => e.querySelector('th').innerText.trim()));
  const zipcode = names.indexOf('customer.address.zipcode');
  await p.page.select(`#ColumnOperator${zipcode}`, '=');
  await p.fill(`#fieldID_${zipcode}`, '8005');
  await p.shot('phpmyadmin-5-search');
  await p.click('#tbl_search_form input[name=submit], #tbl_search_form input[type=submit]');
  await p.page.waitForSelector('.table_results');
  await p.quiet();
  await told('filtered');
  const sort = async () => {
    await p.page.$$eval('.table_results th.column_heading a.sortlink', (all) => all.find((a) => a.innerText.trim().startsWith('total')).click());
    await p.quiet();
  };
  await sort();
  await sort();
  await p.shot('phpmyadmin-6-sorted');
  console.log('sorted:', await rows(3));

  const query = async (text) => {
    await at('/database/sql');
    await p.page.waitForSelector('#sqlqueryform .CodeMirror');
    await p.page.$eval('#sqlqueryform .CodeMirror', (e, t) => e.CodeMirror.setValue(t), text);
    await p.click('#button_submit_query');
    await p.page.waitForSelector('#sqlqueryresultsouter .alert, #page_content .alert-danger');
    await p.quiet();
  };
  const one = "SELECT * FROM orders WHERE _id = 'o-00042'";
  await query(one);
  const cellOf = async (name) => (await p.page.$$('.table_results tbody tr:first-child td.data'))[names.indexOf(name)];
  await (await cellOf('customer.address.zipcode')).click({ count: 2 });
  await p.page.waitForFunction(() => document.activeElement.tagName === 'TEXTAREA');
  await p.page.evaluate(() => document.activeElement.select());
  await p.page.keyboard.type('8002');
  await p.shot('phpmyadmin-7-cell');
  await p.page.keyboard.press('Enter');
  await p.page.waitForSelector('.ajax_notification .alert, .ajax_notification');
  await p.quiet();
  await query(one);
  console.log('edited in its cell:', await rows(1));

  // form fills fields of the form that inserts and edits, by their columns.
  const form = async (values) => {
    const fields = await p.page.$eval('table.insertRowTable', (first) => [...first.querySelectorAll('tbody tr')].map((e) =>
      [e.querySelector('td').innerText.split('\n')[0].trim(), e.querySelector('textarea, input.textfield')?.id]));
    for (const [name, id] of fields) if (name in values) await p.fill(`#${id}`, values[name]);
  };
  const edit = (id) => at('/table/change', `&table=orders&where_clause=${encodeURIComponent(`\`orders\`.\`_id\` = '${id}'`)}`);
  await p.click('.table_results tbody tr:first-child .edit_row_anchor a');
  await p.page.waitForSelector('table.insertRowTable');
  await p.quiet();
  await p.shot('phpmyadmin-8-edit');
  await form({ 'customer.address.city': 'Basel', tags: '["newer"]' });
  await p.click('#buttonYes');
  await p.quiet();
  await told('edited');
  await query(one);
  await p.shot('phpmyadmin-9-edited');
  console.log('the document now:', await rows(1));

  await at('/table/change', '&table=orders');
  await form({ _id: 'o-new', 'customer.name': "Zoë O'Hara", total: '12.5', items: '[{"sku":"tea-13","quantity":2}]' });
  await p.shot('phpmyadmin-10-insert');
  await p.click('#buttonYes');
  await p.quiet();
  await told('inserted');
  await query("SELECT * FROM orders WHERE _id = 'o-new'");
  console.log('the new document:', await rows(1));
  await p.click('.table_results tbody tr:first-child a.delete_row');
  await p.page.waitForSelector('.modal.show, .ui-dialog');
  await p.shot('phpmyadmin-11-delete');
  await p.click('#functionConfirmOkButton, .modal.show .btn-secondary, .ui-dialog-buttonset button');
  await p.quiet();
  await query("SELECT COUNT(*) AS left_of_it FROM orders WHERE _id = 'o-new'");
  console.log('deleted:', await p.texts('.table_results td.data'));

  await query("EXPLAIN SELECT _id, total FROM orders WHERE `customer.address.zipcode` = '8005' AND status = 'paid'");
  await p.shot('phpmyadmin-12-explain');
  console.log('explain:', await p.texts('.table_results tr'));
  await query('SELECT nothing FROM orderz');
  await p.shot('phpmyadmin-13-error');
  await told('a missing table');

  await at('/table/export', '&table=products&single_table=true');
  await p.shot('phpmyadmin-14-export');
  await p.click('#buttonGo');
  fs.writeFileSync(path.join(env.WORK, 'export.sql'), await p.downloaded());
});
