<?php // Users and posts with Laravel's query builder, models and schema builder.
error_reporting(E_ALL & ~E_DEPRECATED & ~E_WARNING);
foreach(['Illuminate/Database','Illuminate/Events','Illuminate/Container','Illuminate/Support','Illuminate/Pagination'] as $m) @include_once "/usr/share/php/$m/autoload.php";
use Illuminate\Database\Capsule\Manager as DB; use Illuminate\Database\Eloquent\Model;
$m=new DB;
  $m->addConnection(['driver'=>'mysql','host'=>getenv('HOST'),'port'=>getenv('PORT'),'database'=>getenv('DATABASE'),'username'=>'root','password'=>'','charset'=>'utf8mb4','collation'=>'utf8mb4_unicode_ci','strict'=>true,'engine'=>'InnoDB']);
  $m->setAsGlobal(); $m->bootEloquent(); $s=DB::schema();
$s->dropIfExists('posts'); $s->dropIfExists('users');
$s->create('users',function($t){$t->id();$t->string('name',80)->unique()->comment('n');$t->json('doc')->nullable();$t->boolean('ok')->default(true);$t->decimal('price',10,2)->default(0);$t->enum('kind',['a','b'])->default('a');$t->uuid('g')->nullable();$t->binary('b')->nullable();$t->timestamp('seen')->nullable()->useCurrent();$t->date('born')->nullable();$t->string('up')->storedAs('upper(name)');$t->rememberToken();$t->softDeletes();$t->timestamps();$t->index(['kind','born']);});
$s->create('posts',function($t){$t->increments('id');$t->foreignId('user_id')->constrained()->cascadeOnDelete();$t->string('title');$t->morphs('tag');$t->fullText??null;$t->timestamps();});
class User extends Model{use Illuminate\Database\Eloquent\SoftDeletes; protected $guarded=[];
  protected $casts=['doc'=>'array','ok'=>'bool','born'=>'date'];
  function posts(){return $this->hasMany(Post::class);}} class Post extends Model{protected $guarded=[];
  function user(){return $this->belongsTo(User::class);}}
$u=User::create(['name'=>'Žofie 😀','doc'=>['a'=>[1,null,'é'],'k'=>['x'=>true]],'price'=>'12.30','born'=>'1990-02-03','b'=>"\0\xff"]);
  User::create(['name'=>'Bob']);
  $u->posts()->createMany([['title'=>'x','tag_type'=>'t','tag_id'=>1],['title'=>'y','tag_type'=>'t','tag_id'=>1]]);
$r=User::find(1)->toArray(); unset($r['created_at'],$r['updated_at'],$r['seen'],$r['b']); echo json_encode($r,JSON_UNESCAPED_UNICODE),"\n";
echo json_encode([User::withCount('posts')->orderBy('id')->pluck('posts_count','name'),User::with('posts')->get()->map(fn($x)=>$x->posts->count()),User::whereHas('posts',fn($q)=>$q->where('title','x'))->count(),User::doesntHave('posts')->pluck('name'),User::where('doc->k->x',true)->count(),User::whereJsonContains('doc->a',1)->count(),User::whereJsonLength('doc->a',3)->count(),User::whereYear('born',1990)->count(),User::whereNull('doc')->count(),User::whereBetween('price',[0,20])->sum('price'),User::latest('id')->first()->name,User::where('name','like','%o%')->orderByDesc('name')->pluck('name')],JSON_UNESCAPED_UNICODE),"\n";
User::where('id',1)->update(['doc->k->x'=>false,'doc->n'=>'v']); echo DB::table('users')->where('id',1)->value('doc'),"\n";
foreach([fn()=>User::create(['name'=>'Bob']),fn()=>Post::create(['user_id'=>99,'title'=>'q','tag_type'=>'t','tag_id'=>1]),fn()=>User::create(['name'=>str_repeat('x',99)]),fn()=>User::create(['name'=>'z','kind'=>'q']),fn()=>DB::select('selec')] as $f) try{$f();echo "none\n";}catch(\Throwable $e){echo get_class($e),' ',$e->getCode(),' ',$e->errorInfo[1]??'',"\n";}
DB::table('users')->upsert([['name'=>'Bob','price'=>7],['name'=>'Cid','price'=>8]],['name'],['price']);
  echo DB::table('users')->orderBy('id')->pluck('price'),DB::table('users')->insertOrIgnore([['name'=>'Bob']]),DB::table('users')->insertGetId(['name'=>'Dan'])>2?1:0,"\n";
DB::transaction(function(){User::where('name','Bob')->lockForUpdate()->first();
  try{DB::transaction(function(){DB::table('posts')->delete();
  throw new Exception('no');});}catch(Exception $e){} echo DB::table('posts')->count(),"\n";},3); 
echo User::where('name','Cid')->sharedLock()->count(), User::destroy([2]),User::count(),User::withTrashed()->count(),User::onlyTrashed()->restore(),"\n";
  echo User::query()->orderBy('id')->chunk(1,fn($c)=>true)?1:0,iterator_count(User::cursor()),DB::table('users')->increment('price',2),"\n";
echo json_encode([DB::table('users')->join('posts','users.id','=','posts.user_id')->select('users.name',DB::raw('count(*) n'))->groupBy('users.name')->havingRaw('count(*) > 1')->get(),DB::table('users')->whereExists(fn($q)=>$q->from('posts')->whereColumn('posts.user_id','users.id'))->count(),DB::table('users')->select('name')->union(DB::table('posts')->select('title'))->orderBy('name')->get()->count(),DB::table('users')->whereRaw('price > ?',[1])->exists(),DB::table('users')->inRandomOrder()->limit(1)->count(),DB::table('users')->max('price')],JSON_UNESCAPED_UNICODE),"\n";
echo json_encode([$s->hasTable('users'),$s->hasColumn('users','doc'),$s->getColumnListing('posts'),count($s->getAllTables())]),"\n";
$s->table('posts',function($t){$t->string('slug')->nullable()->after('title');$t->unique('slug');$t->dropForeign(['user_id']);});
  $s->table('posts',fn($t)=>$t->renameColumn('title','head'));
  $s->table('posts',function($t){$t->dropUnique(['slug']);$t->dropColumn('slug');$t->foreign('user_id')->references('id')->on('users');});
  $s->rename('posts','articles'); echo json_encode($s->getColumnListing('articles')),"\n";
$s->disableForeignKeyConstraints(); DB::table('users')->truncate(); $s->enableForeignKeyConstraints();
  echo DB::table('users')->count(),"\n"; $s->dropAllTables(); echo count($s->getAllTables()),"\n";
