# People and pets with Sequel: tables made and changed, datasets, errors, transactions.
require 'sequel'
DB=Sequel.connect(adapter:'mysql2',host:ENV['HOST'],port:ENV['PORT'].to_i,user:'root',database:ENV['DATABASE'],encoding:'utf8mb4')
DB.create_table!(:people){ primary_key :id; String :name,null:false,unique:true; Date :born; DateTime :at;
  BigDecimal :price,size:[10,2],default:0; TrueClass :active,default:true; File :blob; column :doc,:json; Float :f;
  Bignum :big; String :txt,text:true }
DB.create_table!(:pets){ primary_key :id; foreign_key :owner_id,:people,on_delete: :cascade; String :name;
  index [:owner_id,:name],unique:true }
ds=DB[:people]
id=ds.insert(name:"Žofie 😀",born:Date.new(1990,2,3),at:Time.utc(2024,1,2,3,4,5),price:BigDecimal('12.30'),blob:Sequel.blob("\0\xff"),doc:'{"a":[1,null]}',f:1.5,big:2**62,txt:'x'*10)
ds.multi_insert([{name:'Bob'},{name:'Cid',active:false}])
p ds.order(:id).all.map{|r| r[:blob]=r[:blob].bytes if r[:blob]; r}
p DB.schema(:people).map{|n,s| [n,s[:type],s[:db_type],s[:allow_null],s[:default],s[:primary_key],s[:auto_increment],s[:max_length]]}
p DB.indexes(:pets), DB.foreign_key_list(:pets), DB.tables, DB.views
begin; ds.insert(name:'Bob'); rescue Sequel::UniqueConstraintViolation=>e; puts e.message; end
begin; DB[:pets].insert(owner_id:99); rescue Sequel::ForeignKeyConstraintViolation=>e; puts e.message[0,70]; end
begin; ds.insert(name:nil); rescue Sequel::NotNullConstraintViolation=>e; puts e.message; end
DB.transaction(isolation: :repeatable){ ds.update(price:Sequel[:price]+1); DB.transaction(savepoint:true){ ds.delete;
  raise Sequel::Rollback }; p ds.count; raise Sequel::Rollback }
DB.transaction(isolation: :committed){ p ds.for_update.first(name:'Bob')[:id] }
p ds.sum(:price), ds.where(Sequel.like(:name,'%o%')).order(:name).select_map(:name), ds.where(born:nil).exclude(active:false).select_map(:name)
p ds.insert_conflict(update:{price:7}).insert(name:'Bob',price:5) rescue p $!
p ds.on_duplicate_key_update(price:7).insert(name:'Bob',price:5), ds.where(name:'Bob').get(:price), ds.insert_ignore.insert(name:'Bob'), ds.replace(name:'Cid',f:2)
p ds.left_join(:pets,owner_id: :id).select_group(Sequel[:people][:name]).select_append{count(pets[:id]).as(:n)}.order(1).all
DB.alter_table(:pets){ add_column :kind,String,size:20,default:'cat'; rename_column :name,:nick;
  set_column_type :kind,String,size:40; add_index :kind; set_column_not_null :kind; set_column_default :kind,'dog' }
p DB.schema(:pets).map{|n,s|[n,s[:db_type],s[:default],s[:allow_null]]}
DB.alter_table(:pets){ drop_index :kind; drop_column :kind; drop_foreign_key :owner_id }
DB.create_or_replace_view(:v, ds.select(:id,:name)); p DB[:v].count, DB.views
p ds.prepare(:first,:byname).call, DB["SELECT ? + 1 AS x, ? AS y",1,Date.new(2024,1,1)].first, ds.paged_each(rows_per_fetch:2){}, DB.server_version
p ds.with(:c, ds.where{id<3}).from(:c).count, DB.get(Sequel.function(:now)).class
p ds.stream.map(:id) rescue p $!.class
DB.drop_view(:v); DB.drop_table(:pets,:people)
