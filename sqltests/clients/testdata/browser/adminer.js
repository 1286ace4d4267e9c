// Debian's Adminer on the samples of demo: log in, browse, filter, sort, edit, insert, delete, EXPLAIN, export.
const fs = require('fs'), path = require('path');
const { env, serve, run } = require('./page');

run(async (p) => {
  const adminer = `${await serve('/usr/share/adminer')}/adminer.php`;
  const place = `${adminer}?server=${env.HOST}%3A${env.PORT}&username=${env.USERNAME}&db=${env.DATABASE}`;
  const rows = () => p.texts('#table tbody tr');
  const count = async () => (await p.texts('.footer fieldset'))[0];
  const told = async (what) => { console.log(`${what}:`, (await p.texts('.message, .error')).join(' | ')
    .replace(/\d\d:\d\d:\d\d SQL command/, '…')); };

  await p.go(adminer);
  for (const [field, value] of Object.entries({ server: `${env.HOST}:${env.PORT}`, username: env.USERNAME,
    password: 'wrong', db: env.DATABASE })) await p.fill(`[name="auth[${field}]"]`, value);
  await p.act(() => p.click('#content input[type=submit]'));
  await told('a wrong password');
  await p.fill('[name="auth[password]"]', env.PASSWORD);
  await p.act(() => p.click('#content input[type=submit]'));
  await p.shot('adminer-1-tables');
  console.log('tables:', await p.texts('#content table tbody tr'));

  await p.go(`${place}&table=orders`);
  await p.shot('adminer-2-structure');
  console.log('columns:', await p.texts('#content table:first-of-type tr'));
  console.log('indexes:', (await p.texts('#content table:nth-of-type(2) tr')));

  await p.go(`${place}&select=orders`);
  await p.shot('adminer-3-browse');
  console.log('browse:', (await rows()).slice(0, 2), await p.texts('.footer'));

  await p.page.select('[name="where[0][col]"]', 'customer.address.zipcode');
  await p.page.select('[name="where[0][op]"]', '=');
  await p.fill('[name="where[0][val]"]', '8005');
  await p.page.select('[name="order[0]"]', 'total');
  await p.click('[name="desc[0]"]');
  await p.fill('#form [name=limit]', '3');
  await p.act(() => p.click('#form input[type=submit][value=Select]'));
  await p.shot('adminer-4-filtered');
  console.log('filtered and sorted:', await rows(), await p.texts('.footer'));

  await p.go(`${place}&edit=orders&where%5B_id%5D=o-00042`);
  await p.shot('adminer-5-edit');
  await p.fill('[name="fields[customer.address.zipcode]"]', '8001');
  await p.fill('[name="fields[tags]"]', '["gift","new"]');
  await p.act(() => p.click('input[type=submit][value=Save]'));
  await told('edited');
  await p.go(`${place}&select=orders&where%5B0%5D%5Bcol%5D=_id&where%5B0%5D%5Bop%5D=%3D&where%5B0%5D%5Bval%5D=o-00042`);
  await p.shot('adminer-6-edited');
  console.log('the document now:', await rows());

  const cell = async () => (await p.page.$$('#table tbody tr:first-child td'))[9];
  await (await cell()).evaluate((e) => e.dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: true })));
  await p.quiet(); // the cell's whole text is fetched
  await p.fill('#table tbody td textarea', 'Genève');
  await p.act(() => p.click('.footer input[type=submit][value=Save]'));
  await told('edited in its cell');
  await p.shot('adminer-7-cell');
  console.log('the document now:', await rows());

  await p.go(`${place}&edit=orders`);
  await p.fill('[name="fields[_id]"]', 'o-new');
  await p.fill('[name="fields[customer.name]"]', 'Zoë O\'Hara');
  await p.fill('[name="fields[total]"]', '12.5');
  await p.fill('[name="fields[items]"]', '[{"sku":"tea-13","quantity":2}]');
  await p.shot('adminer-8-insert');
  await p.act(() => p.click('input[type=submit][value=Save]'));
  await told('inserted');

  const sql = async (text) => {
    await p.go(`${place}&sql=${encodeURIComponent(text)}`);
    await p.act(() => p.click('input[type=submit][value=Execute]'));
  };
  await sql("SELECT _doc FROM orders WHERE _id = 'o-new'");
  await p.shot('adminer-9-sql');
  console.log('the new document:', await p.texts('#content table tbody tr'));
  await p.go(`${place}&edit=orders&where%5B_id%5D=o-new`);
  await p.act(() => p.click('input[type=submit][name=delete]'));
  await told('deleted');

  await sql("SELECT _id, total FROM orders WHERE `customer.address.zipcode` = '8005' AND status = 'paid' LIMIT 3");
  await p.click('a[href^="#explain"]');
  await p.shot('adminer-10-explain');
  // How many keys a walk may take is an estimate.
  const plan = await p.texts('#content table tr');
  console.log('explain:', plan.map(row => row.replace(/\d+ (NULL|100) Using/, 'n $1 Using')));
  await sql('SELECT nothing FROM orderz');
  await told('a missing table');

  await p.go(`${place}&dump=products`);
  for (const [name, value] of [['output', 'file'], ['format', 'sql']]) await p.click(`[name=${name}][value=${value}]`);
  await p.shot('adminer-11-export');
  await p.click('input[type=submit][value=Export]');
  fs.writeFileSync(path.join(env.WORK, 'export.sql'), await p.downloaded());
});
