// A file that is chosen or dropped becomes the text of its field.
for(const field of document.querySelectorAll("[data-file]")){
const text=document.getElementById(field.dataset.file);
const take=async file=>{if(file)text.value=await file.text()};
field.addEventListener("change",()=>take(field.files[0]));
text.addEventListener("dragover",event=>event.preventDefault());
text.addEventListener("drop",event=>{if(event.dataTransfer.files.length){event.preventDefault();take(event.dataTransfer.files[0])}});
}
