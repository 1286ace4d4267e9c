# People and pets with Active Record: migrations there and back, models, errors, the dump of the schema.
require 'active_record'
ActiveRecord::Base.establish_connection(adapter:'mysql2',host:ENV['HOST'],port:ENV['PORT'].to_i,username:'root',database:ENV['DATABASE'],encoding:'utf8mb4',prepared_statements: ENV['PS']=='1')
ActiveRecord::Migration.verbose=false
class M1 < ActiveRecord::Migration[6.1]
 def change
  create_table(:people){|t| t.string :name,null:false,limit:80,comment:'the name'; t.date :born;
    t.decimal :price,precision:10,scale:2,default:0; t.boolean :active,default:true; t.json :doc; t.binary :blob;
    t.text :bio, size: :medium; t.bigint :big; t.datetime :at,precision:6; t.time :t; t.integer :status,default:0;
    t.integer :lock_version,default:0; t.timestamps; t.index :name,unique:true }
  create_table(:pets){|t| t.references :person,foreign_key:{on_delete: :cascade}; t.string :name; t.timestamps precision:6 }
  create_join_table(:pets,:tags)
  create_table(:tags,id: :string){|t| t.virtual :up,type: :string,as:'upper(id)',stored:true}
  add_check_constraint :people,'price >= 0',name:'pos'
 end
end
class M2 < ActiveRecord::Migration[6.1]
 def change
  add_column :pets,:kind,:string,default:'cat',null:false; rename_column :pets,:name,:nick;
    add_index :pets,[:kind,:nick],name:'kn'; reversible{|d| d.up{change_column :pets,:kind,:string,limit:40;
    change_column_default :pets,:kind,'dog'; change_column_null :pets,:nick,false,'?' } ;
    d.down{change_column :pets,:kind,:string} }
  rename_index :pets,'kn','kn2'; rename_table :tags,:labels; change_table_comment :pets, from:nil, to:'pets of people'
 end
end
c=ActiveRecord::Base.connection
ctx=nil
[M1,M2].each{|m| m.new.exec_migration(c,:up)}
class Person<ActiveRecord::Base; has_many :pets; enum status:[:new_,:old]; validates :name,uniqueness:true; end
class Pet<ActiveRecord::Base; belongs_to :person,optional:true; end
a=Person.create!(name:'Žofie 😀',born:'1990-02-03',price:'12.30',doc:{a:[1,2.5,nil,'é']},blob:"\0\xff".b,bio:'b',big:2**62,at:Time.utc(2024,1,2,3,4,5.25r),t:'01:02:03',created_at:Time.utc(2024),updated_at:Time.utc(2024))
Person.create!(name:'Bob',created_at:Time.utc(2024),updated_at:Time.utc(2024))
p a.reload.attributes.transform_values{|v| v.is_a?(String)? v.bytes.size.to_s+v.inspect : v.inspect}
a.pets.create!([{nick:'x'},{nick:'y'}]);
  p Person.joins(:pets).group(:name).count, Person.includes(:pets).order(:id).map{|x|[x.name,x.pets.size]}, Person.left_joins(:pets).where(pets:{id:nil}).pluck(:name)
p Person.where("doc->'$.a[0]' = 1").pluck(:name), Person.where(doc:nil).count, Person.where(born:Date.new(1990)..Date.new(1991)).count, Person.where('name LIKE ?','%o%').order(name: :desc).pluck(:name)
begin; Person.insert_all!([{name:'Bob',created_at:Time.now,updated_at:Time.now}]); rescue =>e; puts e.class; end
begin; Person.connection.execute("insert into people (name,price,created_at,updated_at) values ('n',-1,now(),now())");
  rescue =>e; puts e.class; end
begin; Pet.create!(nick:'q',person_id:99); rescue =>e; puts e.class; end
begin; Person.create!(name:'x'*100); rescue =>e; puts e.class,e.message; end
begin; Person.create!(name:nil); rescue =>e; puts e.class,e.message; end
p Person.upsert_all([{name:'Bob',price:3,created_at:Time.now,updated_at:Time.now}]).class, Person.find_by(name:'Bob').price
begin; b=Person.find_by(name:'Bob'); b2=Person.find(b.id); b.update!(price:4); b2.update!(price:5); rescue =>e; puts e.class; end
Person.transaction(isolation: :read_committed){ Person.lock.find_by(name:'Bob').increment!(:price);
  Person.transaction(requires_new:true){Person.delete_all; raise ActiveRecord::Rollback}; p Person.count;
  raise ActiveRecord::Rollback }
p Person.find_by(name:'Bob').price, Person.sum(:price), Person.average(:price), Person.maximum(:born), Person.group(:active).count, Person.order(:id).in_batches(of:1).map{|x|x.pluck(:id)}.size, Person.find_each.map(&:id), Person.exists?(name:'Bob'), Person.distinct.count(:price)
p Person.where(id:Person.select(:id)).update_all("price=price+1"), Person.limit(1).order(:id).update_all(price:1), Person.joins(:pets).update_all(price:2), Pet.joins(:person).where(people:{name:'Bob'}).delete_all
p Person.old.count, Person.from(Person.all,:people).count, Person.where(name:'Bob').or(Person.where(price:2)).count, Person.optimizer_hints('NO_INDEX_MERGE(people)').count, Person.annotate('hi').count
p Person.where(name:'Bob').explain.lines.size>2
p c.tables.sort, c.columns(:people).map{|x|[x.name,x.sql_type,x.null,x.default,x.comment,x.collation]}, c.indexes(:pets).map{|i|[i.name,i.columns,i.unique]}, c.foreign_keys(:pets).map{|f|[f.to_table,f.column,f.on_delete]}, c.primary_key(:labels), c.check_constraints(:people).map{|k|[k.name,k.expression]}, c.table_comment('pets'), c.charset, c.collation.class, c.show_variable('version').class
s=StringIO.new; ActiveRecord::SchemaDumper.dump(c,s); puts s.string
[M2,M1].each{|m| m.new.exec_migration(c,:down)}
p c.tables
p c.get_advisory_lock(1), c.release_advisory_lock(1)
